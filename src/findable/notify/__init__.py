"""Events about reports, crawls and alerts, and the messages that report them: e-mails, chat messages and webhooks."""
