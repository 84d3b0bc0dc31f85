"""The store over the network: questions and evidence by HTTP, as pages for people, and as tools for assistants."""
