import { expect, test } from 'vitest'
import { htmlOfMarked } from './marked-html.ts'

test.each([
  ['Olá, *Ana*!\nSaiu _hoje_.', '<div>Olá, <strong>Ana</strong>!<br>Saiu <em>hoje</em>.</div>'],
  [
    'Leve:\n- nota\n- *RG*\n\nAté',
    '<div>Leve:</div><ul><li>nota</li><li><strong>RG</strong></li></ul><div><br>Até</div>',
  ],
  ['1. um\n2) dois', '<ol><li>um</li><li>dois</li></ol>'],
  ['> dito\n> ontem\nsim', '<blockquote>dito<br>ontem</blockquote><div>sim</div>'],
  [
    'veja https://x.example/?a=1&b="2"',
    '<div>veja <a href="https://x.example/?a=1&amp;b=">https://x.example/?a=1&amp;b=</a>&quot;2&quot;</div>',
  ],
  ['<script>xss()</script> 2 < 3 & 4', '<div>&lt;script&gt;xss()&lt;/script&gt; 2 &lt; 3 &amp; 4</div>'],
])('%j is %s', (text, html) => expect(htmlOfMarked(text)).toBe(html))
