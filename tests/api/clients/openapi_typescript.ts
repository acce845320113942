// What openapi-fetch does with the types that openapi-typescript generates: reports, errors, and a crawl with its pages and findings.
import assert from "node:assert";
import { setTimeout } from "node:timers/promises";
import createClient from "openapi-fetch";
import type { paths } from "./generated";

async function story(): Promise<void> {
  const client = createClient<paths>({
    baseUrl: process.env.BASE_URL!,
    headers: { Authorization: `Bearer ${process.env.API_KEY}` },
  });
  const made = await client.POST("/reports", { params: { query: { wait: 30 } }, body: { url: "https://good.example/" } });
  assert.equal(made.data!.data.status, "done");
  const path = { id: made.data!.data.id };
  const changed = await client.PUT("/reports/{id}", { params: { path }, body: { privacy: 2, password: "open sesame" } });
  assert.deepEqual([changed.data!.data.privacy, changed.data!.data.has_password], [2, true]);
  const found = await client.GET("/reports", { params: { query: { per_page: 25 } } });
  assert.deepEqual(found.data!.data.map((one) => one.id), [path.id]);
  const gone = await client.DELETE("/reports/{id}", { params: { path } });
  assert.ok(gone.data!.data.deleted);
  const missing = await client.GET("/reports/{id}", { params: { path } });
  assert.deepEqual([missing.response.status, missing.error!.code], [404, "not_found"]);
  const wrong = await client.POST("/reports", { body: { url: "https://" } });
  assert.deepEqual([wrong.response.status, Object.keys(wrong.error!.errors!)], [422, ["url"]]);

  const SITE = process.env.SITE!;
  let crawl = (await client.POST("/crawls", { body: { url: SITE, pages: 5 } })).data!.data;
  const of = { params: { path: { id: crawl.id } } };
  while (!["done", "failed"].includes(crawl.status)) {
    await setTimeout(100);
    crawl = (await client.GET("/crawls/{id}", of)).data!.data;
  }
  assert.deepEqual([crawl.status, crawl.ended_by], ["done", "pages"]);
  assert.deepEqual((await client.GET("/crawls")).data!.data.map((one) => one.id), [crawl.id]);
  const pages = (await client.GET("/crawls/{id}/pages", of)).data!.data;
  assert.ok(pages.length);
  const page = await client.GET("/crawls/{id}/pages/{page}", { params: { path: { id: crawl.id, page: pages[0]!.n } } });
  assert.equal(page.data!.data.url, SITE);
  const findings = (await client.GET("/crawls/{id}/findings", of)).data!.data;
  assert.ok(findings[0]!.summary);
  const key = { id: crawl.id, key: findings[0]!.key };
  assert.ok((await client.GET("/crawls/{id}/findings/{key}", { params: { path: key } })).data!.data.length);
  assert.ok((await client.DELETE("/crawls/{id}", of)).data!.data.deleted);
}

story().catch((error) => {
  console.error(error);
  process.exit(1);
});
