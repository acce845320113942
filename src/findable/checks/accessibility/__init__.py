"""Checks of accessibility basics that search engines, agents and people with assistive technology depend on."""
