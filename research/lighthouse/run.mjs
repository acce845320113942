// Runs Lighthouse over the cases that research/lighthouse/cases.py serves: node research/lighthouse/run.mjs PAGES RESULTS [only …]
//
// Needs `npm install lighthouse@13` in the directory LIGHTHOUSE_HOME and a Chromium at CHROME_PATH. Writes one Lighthouse result per
// case, NAME.json, and goes on where an earlier run ended. With further arguments only cases whose name begins with one of them run.

import {spawn} from 'node:child_process';
import {existsSync, mkdirSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {join, resolve} from 'node:path';
import {createInterface} from 'node:readline';
import {pathToFileURL} from 'node:url';

const [pages, results, ...only] = process.argv.slice(2);
const home = resolve(process.env.LIGHTHOUSE_HOME ?? '.');
const python = process.env.PYTHON ?? '.venv/bin/python';
const require = createRequire(join(home, 'package.json'));
const {default: lighthouse, defaultConfig} = await import(pathToFileURL(join(home, 'node_modules/lighthouse/core/index.js')));
const {default: puppeteer} = await import(pathToFileURL(require.resolve('puppeteer-core')));

const AUDITS = [
  'is-crawlable', 'document-title', 'meta-description', 'http-status-code', 'link-text', 'crawlable-anchors', 'robots-txt', 'image-alt',
  'input-image-alt', 'svg-img-alt', 'hreflang', 'canonical', 'doctype', 'charset', 'is-on-https', 'redirects-http', 'unsized-images',
  'html-has-lang', 'html-lang-valid', 'meta-viewport', 'viewport-insight', 'frame-title', 'button-name', 'link-name', 'label',
  'select-name', 'input-button-name', 'aria-input-field-name', 'aria-toggle-field-name', 'aria-command-name', 'heading-order',
  'landmark-one-main', 'meta-refresh', 'document-latency-insight', 'redirects', 'has-hsts',
];
const SETTINGS = {
  onlyAudits: AUDITS, throttlingMethod: 'simulate', maxWaitForLoad: 6000, maxWaitForFcp: 6000, pauseAfterFcpMs: 0, pauseAfterLoadMs: 0,
  networkQuietThresholdMs: 100, ignoreStatusCode: true, cpuQuietThresholdMs: 0, disableFullPageScreenshot: true, disableStorageReset: true,
};

const server = spawn(python, ['-m', 'research.lighthouse.cases', pages], {stdio: ['pipe', 'pipe', 'inherit']});
const {value: told} = await createInterface({input: server.stdout})[Symbol.asyncIterator]().next();
const {ports, cases} = JSON.parse(told);
const rules = `MAP *:443 127.0.0.1:${ports.https},MAP *:80 127.0.0.1:${ports.http},EXCLUDE 127.0.0.1`;
const browser = await puppeteer.launch({
  executablePath: process.env.CHROME_PATH ?? '/usr/bin/chromium',
  acceptInsecureCerts: true,
  args: ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
    '--disable-component-update', '--disable-sync',
    '--disable-features=HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,HttpsFirstBalancedMode,HttpsFirstModeV2,HttpsFirstModeIncognito,' +
      'HttpsFirstModeV2ForTypicallySecureUsers,HttpsFirstModeV2ForEngagedSites', '--ignore-certificate-errors', `--host-resolver-rules=${rules}`],
});

mkdirSync(results, {recursive: true});
for (const [number, {name, url}] of cases.entries()) {
  const file = join(results, `${name}.json`);
  if (existsSync(file) || (only.length && !only.some(start => name.startsWith(start)))) continue;
  await fetch(`http://127.0.0.1:${ports.control}/${number}`);
  const context = await browser.createBrowserContext();
  const begun = Date.now();
  try {
    const page = await context.newPage();
    const run = lighthouse(url, {logLevel: process.env.LOG ?? 'silent'}, {...defaultConfig, settings: SETTINGS}, page);
    const {lhr} = await Promise.race([run, new Promise((_, no) => setTimeout(() => no(new Error('took a minute')), 60_000).unref())]);
    for (const part of ['i18n', 'timing', 'categories', 'categoryGroups', 'stackPacks', 'entities', 'fullPageScreenshot']) delete lhr[part];
    writeFileSync(file, JSON.stringify(lhr, null, 1));
    console.log(name, Date.now() - begun, lhr.runtimeError?.code ?? '');
  } catch (error) {
    console.log(name, 'no result:', error.message);
  }
  await context.close().catch(() => {});
}
await browser.close();
server.stdin.end();
