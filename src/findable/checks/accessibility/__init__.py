"""What search engines, agents and people with assistive technology share."""
