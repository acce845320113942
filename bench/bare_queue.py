"""Baseline for the queue benchmark: a table, a claim that skips locked rows, a delete. No accounts, hosts or results.

    python bench/bare_queue.py DATABASE_URL JOBS_AT_ONCE

Prints "ready", begins when a line arrives on standard input, and ends when the table is empty.
"""

import sys

import psycopg

TABLE = "CREATE TABLE bare (id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY, state text NOT NULL, attempt int NOT NULL, lease bigint)"
ADD = "INSERT INTO bare (state, attempt) VALUES ('ready', 0)"
CLAIM = (
    "UPDATE bare SET state = 'running', attempt = attempt + 1, lease = 1 WHERE id IN "
    "(SELECT id FROM bare WHERE state = 'ready' ORDER BY id LIMIT %s FOR UPDATE SKIP LOCKED) RETURNING id, attempt"
)
FINISH = "DELETE FROM bare WHERE id = %s AND attempt = %s"


def main(url: str, at_once: int) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        print("ready", flush=True)
        sys.stdin.readline()
        while rows := connection.execute(CLAIM, (at_once,)).fetchall():
            for row in rows:
                connection.execute(FINISH, row)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
