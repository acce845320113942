"""What several pages use: templates, forms, list lines, system pages."""
