import { describe, expect, test } from 'vitest'
import { cleanHtml } from './clean-html.ts'
import { shownAtFirst, shownMail } from './shown-mail.ts'

/** The known ways to make a browser run something out of formatted text, by what they abuse. */
const vectors = [
  // elements that run, load or take over
  '<script>xss()</script>',
  '<SCRIPT SRC=//evil.example/x.js></SCRIPT>',
  '<scr<script>ipt>xss()</scr</script>ipt>',
  '<script/x>xss()</script >',
  '<<script>xss()//<</script>',
  '<iframe src="javascript:xss()"></iframe>',
  '<iframe srcdoc="<script>xss()</script>"></iframe>',
  '<object data="javascript:xss()"></object>',
  '<embed src="data:image/svg+xml;base64,PHN2Zy8+">',
  '<applet code="x.class">',
  '<frameset onload=xss()><frame src="javascript:xss()"></frameset>',
  '<meta http-equiv="refresh" content="0;url=javascript:xss()">',
  '<base href="javascript:xss()//">',
  '<link rel=stylesheet href="javascript:xss()">',
  '<link rel=import href="data:text/html,<script>xss()</script>">',
  '<form action="javascript:xss()"><button>ok</button></form>',
  '<button form=f formaction="javascript:xss()">ok</button>',
  '<input autofocus onfocus=xss()>',
  '<select autofocus onfocus=xss()><option>x</select>',
  '<textarea autofocus onfocus=xss()>',
  '<keygen autofocus onfocus=xss()>',
  '<isindex type=image src=1 onerror=xss()>',
  '<video><source onerror="xss()"></video>',
  '<video poster=javascript:xss()//>',
  '<audio src=x onerror=xss()>',
  '<details open ontoggle=xss()>x</details>',
  '<dialog open onclose=xss()>x</dialog>',
  '<marquee onstart=xss()>x</marquee>',
  '<x onclick=xss()>x</x>',
  '<custom-element is="x" onfocus=xss() tabindex=1>',
  '<template><script>xss()</script></template>',
  '<noscript><p title="</noscript><img src=x onerror=xss()>">',
  '<noembed><img src=x onerror=xss()></noembed>',
  '<xmp><img src=x onerror=xss()></xmp>',
  '<plaintext><img src=x onerror=xss()>',
  '<title><img src=x onerror=xss()></title>',
  '<listing>&lt;img src=x onerror=xss()&gt;</listing>',
  // handlers, in all their spellings
  '<img src=x onerror=xss()>',
  '<img src=x onerror="&#120;ss()">',
  '<IMG SRC=x OnErRoR=xss()>',
  '<img/src=x/onerror=xss()>',
  '<img src=x\nonerror\n=\nxss()>',
  '<img src=x onerror\0=xss()>',
  '<img \x0conerror=xss() src=x>',
  '<img src="x` `<script>xss()</script>"` `>',
  '<img """><script>xss()</script>">',
  '<img src=`x`onerror=xss()>',
  '<body onload=xss()>',
  '<div onmouseover="xss()" style="width:9999px;height:9999px">x</div>',
  '<p onpointerenter=xss()>x</p>',
  '<a onanimationend=xss() style="animation-name:x">x</a>',
  '<b/onclick=xss()>x',
  '<b title="a"onclick=xss()>x</b>',
  "<b title='\"><img src=x onerror=xss()>'>x</b>",
  '<a title="&quot; onmouseover=&quot;xss()">x</a>',
  '<img alt="</title><script>xss()</script>" src=x>',
  // addresses that run
  '<a href="javascript:xss()">x</a>',
  '<a href="JaVaScRiPt:xss()">x</a>',
  '<a href=" \t javascript:xss()">x</a>',
  '<a href="java\tscript:xss()">x</a>',
  '<a href="java\nscript:xss()">x</a>',
  '<a href="&#106;avascript&colon;xss()">x</a>',
  '<a href="&#x6A&#x61&#x76&#x61script:xss()">x</a>',
  '<a href="\x01javascript:xss()">x</a>',
  '<a href="vbscript:xss()">x</a>',
  '<a href="livescript:xss()">x</a>',
  '<a href="data:text/html,<script>xss()</script>">x</a>',
  '<a href="data:text/html;base64,PHNjcmlwdD54c3MoKTwvc2NyaXB0Pg==">x</a>',
  '<a href="blob:https://x/1">x</a>',
  '<a href="file:///etc/passwd">x</a>',
  '<a href="feed:javascript:xss()">x</a>',
  '<a href="view-source:javascript:xss()">x</a>',
  '<a href="/api/auth/logout">x</a>',
  '<a href="//evil.example">x</a>',
  '<a href="?token">x</a>',
  '<a href="https://loja.example" target="_self" rel="opener" download ping="//evil.example">x</a>',
  '<a href="https://x" xlink:href="javascript:xss()">x</a>',
  '<img src="javascript:xss()">',
  '<img src="data:text/html,<script>xss()</script>">',
  '<img src="data:image/svg+xml,<svg onload=xss()>">',
  '<img src="data:image/png;base64,x" onload=xss()>',
  '<img lowsrc="javascript:xss()" dynsrc="javascript:xss()" srcset="javascript:xss() 1x" src=x>',
  '<table background="javascript:xss()"><td background="javascript:xss()">x</table>',
  '<blockquote cite="javascript:xss()">x</blockquote>',
  '<area href="javascript:xss()">',
  '<map name=x><area href=javascript:xss() shape=default></map><img usemap=#x src=x>',
  // foreign elements and what they change into when they are read again
  '<svg onload=xss()>',
  '<svg><script>xss()</script></svg>',
  '<svg><script xlink:href="data:,xss()"/>',
  '<svg><animate onbegin=xss() attributeName=x>',
  '<svg><a xlink:href="javascript:xss()"><text y=20>x</text></a></svg>',
  '<svg><use href="data:image/svg+xml,<svg id=x onload=xss()>#x">',
  '<svg><set attributeName=href to=javascript:xss()>',
  '<svg><foreignObject><iframe src=javascript:xss()></foreignObject></svg>',
  '<svg></p><style><a id="</style><img src=1 onerror=xss()>">',
  '<svg><style><img src=x onerror=xss()></style></svg>',
  '<math href="javascript:xss()">x</math>',
  '<math><maction actiontype="statusline#" xlink:href="javascript:xss()">x</maction></math>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=xss()&gt;">',
  '<math><annotation-xml encoding="text/html"><script>xss()</script></annotation-xml></math>',
  '<form><math><mtext></form><form><mglyph><style></math><img src onerror=xss()>',
  '<noscript><style></noscript><img src=x onerror=xss()></style>',
  '<table><td><svg><desc><td></desc><title><td></td><style><!--</style>--><img src=x onerror=xss()>',
  // comments, doctypes, sections
  '<!--><script>xss()</script>-->',
  '<!--<img src="--><img src=x onerror=xss()//">',
  '<!-- --!><img src=x onerror=xss()> -->',
  '<![CDATA[<script>xss()</script>]]>',
  '<?xml version="1.0"?><script>xss()</script>',
  '<?php echo 1 ?><img src=x onerror=xss()>',
  '<!--[if gte IE 4]><script>xss()</script><![endif]-->',
  '<!DOCTYPE html [<!ENTITY x "<script>xss()</script>">]>&x;',
  '<% <script>xss()</script> %>',
  '</ <script>xss()</script>',
  '<',
  '<a',
  '<a href="',
  '&lt;script&gt;xss()&lt;/script&gt;',
  '&amp;lt;script&amp;gt;xss()',
  '&#60script&#62xss()&#60/script&#62',
  '\ufeff<script>xss()</script>',
  '+ADw-script+AD4-xss()+ADw-/script+AD4-',
  '%3Cscript%3Exss()%3C/script%3E',
  '＜script＞xss()＜/script＞',
  // styles
  '<style>@import "//evil.example/x.css"</style>',
  '<style>body{background:url(javascript:xss())}</style>',
  '<div style="background:url(javascript:xss())">x</div>',
  '<div style="background-image:url(//evil.example/seen.gif)">x</div>',
  '<div style="background:u\\72l(//evil.example)">x</div>',
  '<div style="background:/**/url(//evil.example)">x</div>',
  '<div style="background:image-set(\'//evil.example\' 1x)">x</div>',
  '<div style="width:expression(xss())">x</div>',
  '<div style="width:ex/**/pression(xss())">x</div>',
  '<div style="behavior:url(x.htc)">x</div>',
  '<div style="-moz-binding:url(x.xml#x)">x</div>',
  '<div style="position:fixed;top:0;left:0;width:100%;height:100%;z-index:9999">x</div>',
  '<div style="color:red;}</style><script>xss()</script>">x</div>',
  '<div style="list-style:url(//evil.example)">x</div>',
  '<div style="content:attr(title);color:var(--x)">x</div>',
  '<div style="font-family:\'a&quot; onclick=&quot;xss()\'">x</div>',
  '<img style="xss:expr/*XSS*/ession(xss())" src=x>',
  // names that hide ours, and what would stand for something of ours
  '<img name=body><form name=document id=cookie><input name=attributes></form>',
  '<details><summary>assine aqui</summary>oculto</details>',
  '<div id="__proto__" class="constructor" data-x="1" aria-label="x" role="button" tabindex=0 contenteditable>x</div>',
  '<div slot=x is=y part=z nonce=1 popover popovertarget=x>x</div>',
]

const attribute = /\s([^\s=>"]+)(?:="([^"]*)")?/g
/** Every mark of the answer, as it was written: it is ours to the last sign, so it is read by its own rules. */
const problemsOf = (html: string): string[] =>
  [...html.matchAll(/<([^>]*)>/g)].flatMap(([, inside = '']) => {
    const [, name = ''] = /^\/?([a-z\d]+)/.exec(inside) ?? []
    const problems = allowed.has(name) ? [] : [`<${name || inside}>`]
    for (const [, key = '', value = ''] of inside.matchAll(attribute)) {
      if (key === '/') continue
      if (!attributes.has(key)) problems.push(`${name} ${key}`)
      if (key === 'href' && !/^(https?:\/\/|mailto:|tel:)/.test(value)) problems.push(`${key}=${value}`)
      if (key === 'src' && !/^(https:\/\/|data:image\/png;base64,[\w+/=]*$)/.test(value))
        problems.push(`${key}=${value}`)
      if (key === 'style' && /url|expression|\\|@|position|behavio|binding|attr|var\(|content|image/i.test(value))
        problems.push(`${key}=${value}`)
    }
    return problems
  })
const allowed = new Set(
  'a b blockquote br div i img p span strong table tbody td tr u ul details summary listing'.split(' '),
)
const attributes = new Set(['href', 'target', 'rel', 'src', 'alt', 'title', 'style'])

/** As the web draws them, once the reader asked for pictures. */
const draw = (source: string) => (/^(https:\/\/|data:image\/png;base64,)/.test(source) ? source : undefined)
const clean = (html: string) => cleanHtml(html, { draw })

describe('whatever a stranger writes', () => {
  test.each(vectors)('%j runs nothing', (vector) => {
    const shown = clean(vector)
    expect(problemsOf(shown)).toEqual([])
    // Cleaned twice it is the same: nothing changes into something else when it is read again.
    expect(clean(shown)).toBe(shown)
  })

  test('put one into another they run nothing either', () => {
    for (const outer of [
      '<p title="$">x</p>',
      "<p title='$'>x</p>",
      '<a href="$">x</a>',
      '<!--$-->',
      '<div>$',
      '$$',
      '<b style="$">x</b>',
    ])
      for (const vector of vectors) expect(problemsOf(clean(outer.replaceAll('$', () => vector)))).toEqual([])
  })

  test('what formats a text stays', () => {
    const said =
      '<p style="color:#c00;font-family:Arial, sans-serif">Olá, <b>Ana</b></p><table width="100%"><tbody><tr><td align="center">1</td></tr></tbody></table>'
    expect(clean(said)).toBe(said)
    expect(clean('<a href="https://loja.example/?a=1&amp;b=2">ver</a>')).toBe(
      '<a target="_blank" rel="noopener noreferrer nofollow" href="https://loja.example/?a=1&amp;b=2">ver</a>',
    )
  })
})

const show = (html: string, more: object = {}) =>
  shownMail({ html, pictures: {}, isWithRemote: false, isWhole: false, ...more }).page

describe('a mail that is shown', () => {
  test('asks no other server for a picture until it may, and has its own at hand', () => {
    const html =
      '<img src="https://evil.example/seen.gif"><img src="//evil.example/b.gif"><img src="cid:logo%40loja"><img src="cid:nada">'
    const pictures = { 'logo@loja': '/api/media/x/logo.png' }
    const page = show(html, { pictures })
    expect(page).toContain('data-remote="2"')
    expect(page).not.toContain('evil.example')
    expect(page).toContain('<img alt="" src="/api/media/x/logo.png" />')
    const seen = show(html, { pictures, isWithRemote: true })
    expect(seen).toContain('src="https://evil.example/b.gif"')
    expect(seen).not.toContain('data-remote')
  })

  test.each([
    ['<p>Sim</p><div class="gmail_quote">Em seg:<blockquote class="gmail_quote">Pode?</blockquote></div>', false],
    ['<p>Sim</p><blockquote type="cite">Pode?</blockquote>', false],
    ['<p>Sim</p><div id="appendonsend"></div><hr><div id="divRplyFwdMsg">De: Loja</div><p>Pode?</p>', false],
    ['<div><p>Sim</p><div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3pt"><p>De: Loja</p></div>', false],
    ['<div class="gmail_quote">---------- Forwarded message ---------<p>Pode?</p></div>', true],
  ])('%s is folded once; one that was only sent on stands open', (html, isOpen) => {
    const page = show(html)
    expect(page.match(/<details/g)).toHaveLength(1)
    expect(page.match(/<summary/g)).toHaveLength(1)
    expect(page.includes('<details open>')).toBe(isOpen)
  })

  test('of ten megabytes begins at once, and says that there is more', () => {
    const row =
      '<table><tr><td style="color:#333"><a href="https://x.example/">Produto</a> R$ 10,00</td></tr></table>\n'
    const html = row.repeat(10_000_000 / row.length)
    show(html)
    const start = process.threadCpuUsage()
    const page = show(html)
    expect(process.threadCpuUsage(start).user).toBeLessThan(1_000_000)
    expect(page).toContain('data-more')
    expect(show(row)).not.toContain('data-more')
  })

  test.each(['<', '</'])('is never cut into words behind a %s', (sign) => {
    const html = `<table>${'x'.repeat(shownAtFirst - 7 - sign.length)}${sign}td>fim</table>`
    expect(show(html)).not.toContain('&lt;')
  })
})
