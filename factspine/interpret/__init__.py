"""Raw tables become facts: header bands, context, units, periods, totals, ledger."""
