"""Link previews."""
