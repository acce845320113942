// A certified OpenID provider (npm oidc-provider) for tests: node oidc_provider.mjs MODULE PORT REDIRECT_URI
// Its sign-in form takes any name. People and their claims are below.
const [module, port, redirectUri] = process.argv.slice(2);
const { default: Provider } = await import(module);

const PEOPLE = {
  ann: { email: "ann@example.com", email_verified: true, name: "Ann Smith", groups: ["seo", "seo-leads"] },
  bob: { email: "bob@example.com", email_verified: true, name: "Bob", groups: ["seo"] },
  eve: { email: "ann@example.com", email_verified: false, name: "Eve", groups: ["seo"] },
  dan: { email: "dan@example.com", email_verified: true, name: "Dan", groups: ["seo"] },
  tom: { email: "tom@example.com", email_verified: true, name: "Tom", groups: ["kitchen"] },
};
// Groups change while the service runs.
const moved = new Set();

const issuer = `http://127.0.0.1:${port}`;
const provider = new Provider(issuer, {
  clients: [
    { client_id: "findable", client_secret: "a secret: 100%+", redirect_uris: [redirectUri], grant_types: ["authorization_code"] },
  ],
  pkce: { required: () => true, methods: ["S256"] },
  claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name", "groups"] },
  features: { devInteractions: { enabled: true } },
  findAccount: (_context, id) => ({
    accountId: id,
    claims: async () => ({ sub: id, ...PEOPLE[id], ...(moved.has(id) ? { groups: ["seo"] } : {}) }),
  }),
  cookies: { keys: ["a key of the tests"] },
});
provider.use(async (context, next) => {
  if (context.path.startsWith("/move/")) {
    moved.add(context.path.slice(6));
    context.status = 204;
  } else await next();
});
provider.listen(Number(port), "127.0.0.1", () => console.log("ready"));
