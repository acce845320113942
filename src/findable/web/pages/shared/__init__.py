"""Code that several pages share: templates, forms, list lines, system pages."""
