"""Links to results for guests: access, passwords, expiry; links for the person who fixes a finding."""
