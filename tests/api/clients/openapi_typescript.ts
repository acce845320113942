// What openapi-fetch does with the types that openapi-typescript generates: list, create, update, delete.
import assert from "node:assert";
import createClient from "openapi-fetch";
import type { paths } from "./generated";

async function story(): Promise<void> {
  const client = createClient<paths>({
    baseUrl: process.env.BASE_URL!,
    headers: { Authorization: `Bearer ${process.env.API_KEY}` },
  });
  const made = await client.POST("/reports", { params: { query: { wait: 30 } }, body: { url: "https://good.example/", privacy: 0 } });
  assert.equal(made.data!.data.status, "done");
  const path = { id: made.data!.data.id };
  const changed = await client.PUT("/reports/{id}", { params: { path }, body: { privacy: 2, password: "open sesame", results: 0 } });
  assert.deepEqual([changed.data!.data.privacy, changed.data!.data.has_password], [2, true]);
  const found = await client.GET("/reports", { params: { query: { per_page: 25 } } });
  assert.deepEqual(found.data!.data.map((one) => one.id), [path.id]);
  const gone = await client.DELETE("/reports/{id}", { params: { path } });
  assert.ok(gone.data!.data.deleted);
  assert.equal((await client.GET("/reports/{id}", { params: { path } })).response.status, 404);
}

story().catch((error) => {
  console.error(error);
  process.exit(1);
});
