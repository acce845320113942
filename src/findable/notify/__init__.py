"""Events about reports, crawls and alerts, and the messages that report them: emails, chat messages and webhooks."""
