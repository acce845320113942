"""Technologies: each product by what its vendor documents or sends, and the time that it takes on hostile pages."""

import time

import pytest

from findable.artifacts.page.technologies import Technologies, Technology
from findable.artifacts.tables.technology_signs import AS_OF, PRODUCTS
from tests.checks.harness import artifacts, page

HTML = ("Content-Type", "text/html; charset=utf-8")


def generator(content: str) -> str:
    return f'<meta name="generator" content="{content}">'


def script(src: str) -> str:
    return f'<script async src="{src}"></script>'


def inline(code: str) -> str:
    return f"<script>{code}</script>"


GTM_SNIPPET = """<!-- Google Tag Manager -->
<script>(function(w,d,s,l,i){w[l]=w[l]||[];w[l].push({'gtm.start':
new Date().getTime(),event:'gtm.js'});var f=d.getElementsByTagName(s)[0],
j=d.createElement(s),dl=l!='dataLayer'?'&l='+l:'';j.async=true;j.src=
'https://www.googletagmanager.com/gtm.js?id='+i+dl;f.parentNode.insertBefore(j,f);
})(window,document,'script','dataLayer','GTM-XXXX');</script>"""
GTM_FRAME = """<noscript><iframe src="https://www.googletagmanager.com/ns.html?id=GTM-XXXX"
height="0" width="0" style="display:none;visibility:hidden"></iframe></noscript>"""
GA4 = """<script async src="https://www.googletagmanager.com/gtag/js?id=G-XXXX"></script>
<script>window.dataLayer = window.dataLayer || []; function gtag(){dataLayer.push(arguments);} gtag('js', new Date());
gtag('config', 'G-XXXX');</script>"""
ANALYTICS_JS = """<script>(function(i,s,o,g,r,a,m){i['GoogleAnalyticsObject']=r;i[r]=i[r]||function(){
(i[r].q=i[r].q||[]).push(arguments)},i[r].l=1*new Date();a=s.createElement(o),m=s.getElementsByTagName(o)[0];a.async=1;a.src=g;
m.parentNode.insertBefore(a,m)})(window,document,'script','https://www.google-analytics.com/analytics.js','ga');
ga('create', 'UA-XXXX-Y', 'auto'); ga('send', 'pageview');</script>"""
GA_JS = """<script type="text/javascript">var _gaq = _gaq || []; _gaq.push(['_setAccount', 'UA-XXXX-Y']); _gaq.push(['_trackPageview']);
(function() { var ga = document.createElement('script'); ga.async = true;
ga.src = ('https:' == document.location.protocol ? 'https://ssl' : 'http://www') + '.google-analytics.com/ga.js'; })();</script>"""
META_PIXEL = """<script>!function(f,b,e,v,n,t,s){if(f.fbq)return;n=f.fbq=function(){n.callMethod?
n.callMethod.apply(n,arguments):n.queue.push(arguments)};if(!f._fbq)f._fbq=n;n.push=n;n.loaded=!0;n.version='2.0';n.queue=[];
t=b.createElement(e);t.async=!0;t.src=v;s=b.getElementsByTagName(e)[0];s.parentNode.insertBefore(t,s)}(window, document,'script',
'https://connect.facebook.net/en_US/fbevents.js'); fbq('init', '123'); fbq('track', 'PageView');</script>"""
META_IMAGE = '<noscript><img height="1" width="1" src="https://www.facebook.com/tr?id=123&ev=PageView&noscript=1"/></noscript>'

SNIPPETS: dict[str, list[str]] = {
    "WordPress": [generator("WordPress 6.8.1"), '<link rel="stylesheet" href="/wp-content/themes/x/style.css">', script("/wp-includes/js/a.js")],
    "Elementor": [generator("Elementor 3.30.2; features: x")],
    "Joomla": [generator("Joomla! - Open Source Content Management"), script("/media/system/js/core.js?37ff")],
    "Drupal": [
        generator("Drupal 10 (https://www.drupal.org)"),
        script("/core/misc/drupal.js?v=10"),
        inline('jQuery.extend(Drupal.settings, {"basePath":"/"});'),
        '<form data-drupal-selector="search"></form>',
    ],
    "TYPO3": [generator("TYPO3 CMS"), script("/typo3conf/ext/a.js"), script("/_assets/2a8ca2c7e9b0cd6e4a0e1b2c3d4e5f60/a.js")],
    "Wix": [generator("Wix.com Website Builder"), script("https://static.parastorage.com/a.js")],
    "Squarespace": [script("https://assets.squarespace.com/a.js"), inline("Static.SQUARESPACE_CONTEXT = {}")],
    "Webflow": [generator("Webflow"), script("https://cdn.prod.website-files.com/1/js/webflow.js")],
    "Ghost": [generator("Ghost 5.90"), script("https://cdn.jsdelivr.net/ghost/portal@~2.51/umd/portal.min.js")],
    "Blogger": [generator("blogger"), script("https://www.blogger.com/static/v1/widgets/1-widgets.js")],
    "MediaWiki": [generator("MediaWiki 1.45.0-wmf.1"), script("/w/load.php?lang=en&modules=startup&only=scripts")],
    "HubSpot": [generator("HubSpot"), script("//js.hs-scripts.com/123.js")],
    "Adobe Experience Manager": [script("/etc.clientlibs/wknd/clientlibs/a.js")],
    "Contao": [generator("Contao Open Source CMS")],
    "Duda": [script("https://static.cdn-website.com/a.js")],
    "Weebly": [script("//cdn2.editmysite.com/js/site/main.js")],
    "Discourse": [generator("Discourse 3.5.0 - https://github.com/discourse/discourse")],
    "Hugo": [generator("Hugo 0.150.0")],
    "Jekyll": [generator("Jekyll v4.4.1")],
    "Eleventy": [generator("Eleventy v3.1.2")],
    "Hexo": [generator("Hexo 7.3.0")],
    "Docusaurus": [generator("Docusaurus v3.8.1"), '<div id="__docusaurus"></div>'],
    "VitePress": [generator("VitePress v1.6.4")],
    "MkDocs": [generator("mkdocs-1.6.1, mkdocs-material-9.6.0")],
    "Sphinx": [script("_static/documentation_options.js").replace("_static", "/_static"), script("../_static/doctools.js")],
    "WooCommerce": [generator("WooCommerce 10.1.0"), script("/wp-content/plugins/woocommerce/a.js")],
    "Shopify": [script("https://cdn.shopify.com/s/files/1/a.js"), inline('Shopify.shop = "x.myshopify.com";')],
    "Magento": [script("/static/version1700000000/frontend/Magento/luma/en_US/a.js"), '<script type="text/x-magento-init">{"*": {"Magento_Ui/js/core/app": {}}}</script>'],
    "PrestaShop": [generator("PrestaShop"), inline('var prestashop = {"cart":{}};')],
    "Shopware": [script("/bundles/storefront/storefront.js"), inline("window.salesChannelId = '1';")],
    "BigCommerce": [script("https://cdn11.bigcommerce.com/s-abc/stencil/a.js"), inline("var BCData = {};")],
    "Salesforce Commerce Cloud": [script("/on/demandware.static/Sites-x/a.js")],
    "OpenCart": [script("catalog/view/javascript/common.js")],
    "Ecwid": [script("https://app.ecwid.com/script.js?123")],
    "Next.js": [script("/_next/static/chunks/main.js"), '<div id="__next"></div>', inline("(self.__next_f=self.__next_f||[]).push([0])")],
    "Nuxt": [script("/_nuxt/entry.js"), inline("window.__NUXT__={}"), '<div id="__nuxt"></div>', '<script type="application/json" id="__NUXT_DATA__">[]</script>'],
    "Gatsby": [generator("Gatsby 5.15.0"), '<div id="___gatsby"></div>', script("/webpack-runtime-0a1b2c.js")],
    "Remix": [inline("window.__remixContext = {};")],
    "SvelteKit": [script("/_app/immutable/entry/start.js"), '<div data-sveltekit-preload-data="hover"></div>'],
    "Astro": [generator("Astro v5.14.1"), '<link rel="stylesheet" href="/_astro/a.css">'],
    "Angular": ['<app-root ng-version="20.1.0"></app-root>'],
    "AngularJS": [script("https://ajax.googleapis.com/ajax/libs/angularjs/1.8.2/angular.min.js"), "<div ng-app></div>"],
    "Ember.js": ['<div id="ember-basic-dropdown-wormhole"></div>', inline("window.EmberENV = {};")],
    "Ruby on Rails": [script("/assets/application-0123456789abcdef0123456789abcdef.js")],
    "React": [
        script("https://unpkg.com/react@18.3.1/umd/react.production.min.js"),
        script("/js/react-dom.production.min.js"),
        '<div id="root"><div data-reactroot=""></div></div>',
    ],
    "Vue.js": [script("https://unpkg.com/vue@3.5.18/dist/vue.global.js"), '<div id="app" data-v-app></div>', '<div data-server-rendered="true"></div>'],
    "jQuery": [script("https://code.jquery.com/jquery-3.7.1.min.js"), script("https://ajax.googleapis.com/ajax/libs/jquery/3.7.1/jquery.min.js")],
    "Bootstrap": ['<link rel="stylesheet" href="https://cdn.jsdelivr.net/npm/bootstrap@5.3.8/dist/css/bootstrap.min.css">'],
    "Alpine.js": [script("https://cdn.jsdelivr.net/npm/alpinejs@3.15.0/dist/cdn.min.js")],
    "htmx": [script("https://unpkg.com/htmx.org@2.0.6/dist/htmx.min.js"), '<button hx-get="/x">x</button>'],
    "Font Awesome": [script("https://kit.fontawesome.com/1.js")],
    "Google Fonts": ['<link rel="stylesheet" href="https://fonts.googleapis.com/css2?family=Inter">'],
    "Google reCAPTCHA": [script("https://www.google.com/recaptcha/api.js?render=x")],
    "Google Maps": [script("https://maps.googleapis.com/maps/api/js?key=x"), '<iframe src="https://www.google.com/maps/embed?pb=1"></iframe>'],
    "Sentry": [script("https://js.sentry-cdn.com/1.min.js"), inline("Sentry.init({});")],
    "Google Analytics": [GA4, ANALYTICS_JS, GA_JS, inline('gtag("config", "G-XXXX");'), script("//www.google-analytics.com/urchin.js")],
    "Adobe Analytics": [script("/js/AppMeasurement.js"), script("/js/s_code.js"), inline('var s = s_gi("x");')],
    "Matomo": [inline("var _paq = window._paq = window._paq || []; _paq.push(['trackPageView']);"), script("//example.matomo.cloud/matomo.js")],
    "Plausible": [script("https://plausible.io/js/script.js"), inline("plausible.init()")],
    "Fathom": [script("https://cdn.usefathom.com/script.js")],
    "Cloudflare Web Analytics": [script("https://static.cloudflareinsights.com/beacon.min.js")],
    "Hotjar": [inline("h._hjSettings={hjid:1,hjsv:6};")],
    "Microsoft Clarity": [inline('t.src="https://www.clarity.ms/tag/"+i;')],
    "Segment": [inline('t.src="https://cdn.segment.com/analytics.js/v1/" + key + "/analytics.min.js"')],
    "Mixpanel": [inline("mixpanel.init('x', {})"), script("https://cdn.mxpnl.com/libs/mixpanel-2-latest.min.js")],
    "Amplitude": [script("https://cdn.amplitude.com/script/1.js"), inline("window.amplitude.init('x')")],
    "Yandex Metrica": [inline('(window, document, "script", "https://mc.yandex.ru/metrika/tag.js", "ym");')],
    "comScore": [inline("var _comscore = _comscore || []; _comscore.push({ c1: '2', c2: '1' });")],
    "Chartbeat": [inline("var _sf_async_config={};"), script("//static.chartbeat.com/js/chartbeat.js")],
    "Quantcast": [inline("_qevents.push({ qacct:'p-1' });")],
    "New Relic": [inline("window.NREUM||(NREUM={});")],
    "Optimizely": [script("https://cdn.optimizely.com/js/1.js")],
    "VWO": [inline("window._vwo_code = window._vwo_code || (function(){})();")],
    "Meta Pixel": [META_PIXEL, META_IMAGE, inline('fbq("init", "123");')],
    "LinkedIn Insight Tag": [inline('_linkedin_partner_id = "1";'), inline('b.src = "https://snap.licdn.com/li.lms-analytics/insight.min.js";')],
    "TikTok Pixel": [inline("!function (w, d, t) { w.TiktokAnalyticsObject=t; }(window, document, 'ttq');")],
    "Pinterest Tag": [inline("pintrk('load', '1'); pintrk('page');")],
    "X Pixel": [inline("twq('config','1');"), script("https://static.ads-twitter.com/uwt.js")],
    "Snap Pixel": [inline("snaptr('init', '1');"), inline("'https://sc-static.net/scevent.min.js'")],
    "Microsoft Advertising UET": [inline('(window,document,"script","//bat.bing.com/bat.js","uetq");')],
    "Google Tag Manager": [GTM_SNIPPET, GTM_FRAME, script("https://www.googletagmanager.com/gtm.js?id=GTM-XXXX"), GTM_SNIPPET.replace("'", '"')],
    "Adobe Experience Platform Tags": [script("https://assets.adobedtm.com/launch-1.min.js"), inline("_satellite.pageBottom();")],
    "Tealium iQ": [inline("a='https://tags.tiqcdn.com/utag/x/main/prod/utag.js';")],
    "Matomo Tag Manager": [inline("var _mtm = []; _mtm.push({'mtm.startTime': 1, 'event': 'mtm.Start'});")],
    "Google Ads": [script("https://www.googletagmanager.com/gtag/js?id=AW-1"), inline("gtag('config', 'AW-1');")],
    "Google AdSense": [script("https://pagead2.googlesyndication.com/pagead/js/adsbygoogle.js?client=ca-pub-1"), inline("(adsbygoogle = window.adsbygoogle || []).push({});")],
    "Google Publisher Tag": [script("https://securepubads.g.doubleclick.net/tag/js/gpt.js"), inline("window.googletag = window.googletag || {cmd: []}; googletag.cmd.push(f);")],
    "Amazon Publisher Services": [inline("apstag.init({pubID: 'x'});")],
    "Taboola": [inline("window._taboola = window._taboola || []; _taboola.push({article:'auto'});")],
    "Outbrain": [script("https://widgets.outbrain.com/outbrain.js"), inline('t.src="//amplify.outbrain.com/cp/obtp.js"')],
    "Criteo": [inline("window.criteo_q.push({ event: 'setAccount' });")],
    "Cookiebot": [script("https://consent.cookiebot.com/uc.js")],
    "OneTrust": [script("https://cdn.cookielaw.org/scripttemplates/otSDKStub.js"), inline("function OptanonWrapper() { }")],
    "Usercentrics": [script("https://app.usercentrics.eu/browser-ui/latest/loader.js")],
    "CookieYes": [script("https://cdn-cookieyes.com/client_data/1/script.js")],
    "Didomi": [script("https://sdk.privacy-center.org/1/loader.js"), inline("window.didomiConfig = {};")],
    "jsDelivr": [script("https://cdn.jsdelivr.net/npm/a.js")],
    "cdnjs": [script("https://cdnjs.cloudflare.com/ajax/libs/a.js")],
    "unpkg": [script("https://unpkg.com/a.js")],
    "Cloudflare": [script("/cdn-cgi/scripts/5c5dd728/cloudflare-static/email-decode.min.js")],
    "Laravel": [script("/livewire/livewire.min.js")],
}  # fmt: skip
HEADERS: dict[str, tuple[str, str]] = {
    "WordPress": ("Link", '<https://example.com/wp-json/>; rel="https://api.w.org/"'),
    "Drupal": ("X-Generator", "Drupal 10 (https://www.drupal.org)"),
    "Wix": ("X-Wix-Request-Id", "1"),
    "Discourse": ("X-Discourse-Route", "list/latest"),
    "Shopify": ("Powered-By", "Shopify"),
    "Next.js": ("X-Powered-By", "Next.js"),
    "Express": ("X-Powered-By", "Express"),
    "Cloudflare": ("CF-RAY", "1"),
    "Fastly": ("X-Served-By", "cache-fra-1"),
    "Amazon CloudFront": ("X-Amz-Cf-Id", "1"),
    "Akamai": ("Server", "AkamaiGHost"),
    "Vercel": ("X-Vercel-Id", "fra1::1"),
    "Netlify": ("X-NF-Request-ID", "1"),
    "bunny.net": ("CDN-PullZone", "1"),
    "GitHub Pages": ("X-GitHub-Request-Id", "1"),
    "Varnish": ("X-Varnish", "1 2"),
    "nginx": ("Server", "nginx/1.29.1"),
    "Apache": ("Server", "Apache/2.4.65 (Debian)"),
    "Microsoft IIS": ("Server", "Microsoft-IIS/10.0"),
    "LiteSpeed": ("Server", "LiteSpeed"),
    "Caddy": ("Server", "Caddy"),
    "OpenResty": ("Server", "openresty/1.27.1"),
    "PHP": ("X-Powered-By", "PHP/8.4.1"),
    "ASP.NET": ("X-AspNet-Version", "4.0.30319"),
    "Java": ("Set-Cookie", "JSESSIONID=1; Path=/"),
    "Django": ("Set-Cookie", "csrftoken=1; Path=/"),
    "Laravel": ("Set-Cookie", "laravel_session=1"),
    "Magento": ("Set-Cookie", "mage-cache-sessid=true"),
    "PrestaShop": ("Set-Cookie", "PrestaShop-0a1b=1"),
}


def found_in(body: str, **given: object) -> dict[str, Technology]:
    technologies = artifacts(page(body), **given).get_or_none(Technologies)
    assert technologies is not None
    return {item.name: item for item in technologies.items}


def test_every_product_has_a_documented_snippet_or_header() -> None:
    assert {product.name for product in PRODUCTS} == {*SNIPPETS, *HEADERS}
    assert AS_OF >= "2026-11"
    assert all(product.source.startswith("https://") for product in PRODUCTS)


@pytest.mark.parametrize(("name", "snippet"), [(name, snippet) for name, snippets in SNIPPETS.items() for snippet in snippets])
def test_a_product_is_found_by_its_snippet(name: str, snippet: str) -> None:
    head, body = (snippet, "") if snippet.startswith(("<meta", "<link")) else ("", snippet)
    technologies = artifacts(page(body, head=f"<title>x</title>{head}")).get_or_none(Technologies)
    assert technologies is not None
    item = next((item for item in technologies.items if item.name == name), None)

    assert item is not None
    assert item.sign
    assert item.element is not None
    assert item.element.line


@pytest.mark.parametrize("name", HEADERS)
def test_a_product_is_found_by_its_header(name: str) -> None:
    assert name in found_in("", headers=[HTML, HEADERS[name]])


@pytest.mark.parametrize(
    ("snippet", "name", "version"),
    [
        (script("https://code.jquery.com/jquery-3.7.1.min.js"), "jQuery", "3.7.1"),
        (script("https://ajax.googleapis.com/ajax/libs/jquery/3.7.1/jquery.min.js"), "jQuery", "3.7.1"),
        (script("https://unpkg.com/vue@3.5.18/dist/vue.global.js"), "Vue.js", "3.5.18"),
        (script("https://unpkg.com/react@18.3.1/umd/react.production.min.js"), "React", "18.3.1"),
        ('<app-root ng-version="20.1.0"></app-root>', "Angular", "20.1.0"),
    ],
)
def test_a_version_is_read_from_the_sign(snippet: str, name: str, version: str) -> None:
    assert found_in(snippet)[name].version == version


@pytest.mark.parametrize(
    "body",
    [
        "<p>We use Google Tag Manager, fbq('init', '1') and googletagmanager.com/gtm.js.</p>",
        "<!-- <script>w[l].push({'gtm.start': 1})</script> -->",
        '<a href="https://www.google-analytics.com/analytics.js">documentation</a>',
        '<link rel="preconnect" href="https://www.googletagmanager.com/gtm.js">',
        script("/js/vuelidate.min.js"),
        script("/js/reaction.js"),
        '<script type="application/json">{"snippet": "fbq(\'init\', 1)"}</script>',
    ],
)
def test_words_comments_links_and_data_are_no_sign(body: str) -> None:
    assert found_in(body) == {}


def test_ads_by_the_tag_of_google_are_no_analytics() -> None:
    assert set(found_in(script("https://www.googletagmanager.com/gtag/js?id=AW-1"))) == {"Google Ads"}


def test_a_framework_says_what_it_is_made_with() -> None:
    found = found_in(script("/_nuxt/entry.js"))

    assert set(found) == {"Nuxt", "Vue.js"}
    assert found["Vue.js"].sign == "/_nuxt/entry.js"


@pytest.mark.parametrize(
    "body",
    [
        "".join(script(f"/jquery{'-1.' * 300}x") for _ in range(300)),
        "".join(script("/load.php?" * 100) for _ in range(300)),
        "".join(script("/gtag/js?" + "id=&" * 240) for _ in range(300)),
        "".join(script("/react" + "/react" * 160) for _ in range(300)),
        inline("fbq(" * 100_000) * 10,
        "".join(inline("gtag('config'," * 280) for _ in range(300)),
        "".join(inline("'" * 4000) for _ in range(300)),
        "<div data-reactroot>" * 400,
    ],
)
def test_hostile_pages_take_time_by_their_length(body: str) -> None:
    found = artifacts(page(body))
    start = time.process_time()
    found.get_or_none(Technologies)

    assert time.process_time() - start < 1.5


@pytest.mark.parametrize("names", [("data-reactroot", "data-reactid"), ("data-reactid", "data-reactroot")])
def test_of_two_signs_on_one_element_the_first_is_shown(names: tuple[str, str]) -> None:
    made = artifacts(page(f'<!doctype html><title>x</title><body><div {names[0]}="" {names[1]}="1">text</div>')).get(Technologies)

    assert isinstance(made, Technologies)
    assert made.items[0].sign == f"attribute {names[0]}"
