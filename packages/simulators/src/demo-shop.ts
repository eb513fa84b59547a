import { readFileSync } from 'node:fs'
import Fastify from 'fastify'

export type ShopPageOptions = {
  port?: number
  /** Where the widget comes from. */
  balcaoUrl: string
  /** The public key of the web chat connection. */
  channelKey: string
  /** Name in addresses; `localhost` (default) and `127.0.0.1` are different sites to a browser. */
  hostname?: 'localhost' | '127.0.0.1'
  /** True: a strict content security policy that only lets the widget in. A text: that policy. */
  csp?: boolean | string
  /** A signed-in customer, announced as `Balcao('identify', …)`. */
  identity?: { id: string; name?: string; email?: string; hmac: string } | { jwt: string }
}

/** A small shop on its own origin with the web chat on every page; for the demo and the journeys. */
export async function startShopPage(options: ShopPageOptions) {
  const { port = 0, hostname = 'localhost', csp } = options
  const app = Fastify({ forceCloseConnections: true })
  const css = readFileSync(new URL('./shop/shop.css', import.meta.url), 'utf8')
  const policy = csp === true ? strictPolicy(new URL(options.balcaoUrl).origin) : csp

  app.addHook('onSend', async (_req, reply) => {
    if (policy) reply.header('content-security-policy', policy)
  })
  app.get('/', (_req, reply) => reply.type('text/html; charset=utf-8').send(shell(options, 'Ateliê Jatobá', home())))
  app.get<{ Params: { id: string } }>('/produto/:id', (req, reply) => {
    const product = products.find(({ id }) => id === req.params.id)
    if (!product)
      return reply
        .code(404)
        .type('text/html; charset=utf-8')
        .send(shell(options, 'Não encontrado', missing))
    return reply.type('text/html; charset=utf-8').send(shell(options, product.name, detail(product)))
  })
  app.get('/trocas', (_req, reply) =>
    reply.type('text/html; charset=utf-8').send(shell(options, 'Trocas e entregas', exchange)),
  )
  app.get('/shop.css', (_req, reply) => reply.type('text/css').send(css))
  app.get('/identity.js', (_req, reply) =>
    reply
      .type('text/javascript')
      .send(
        `window.Balcao=window.Balcao||function(){(window.Balcao.q=window.Balcao.q||[]).push(arguments)};Balcao('identify',${JSON.stringify(options.identity ?? {})})`,
      ),
  )

  const address = new URL(await app.listen({ host: '127.0.0.1', port }))
  return { url: `http://${hostname}:${address.port}`, close: () => app.close() }
}

/** What we tell customers with a policy to allow, and nothing more. */
const strictPolicy = (widget: string) =>
  [
    "default-src 'none'",
    `script-src 'self' ${widget}`,
    "style-src 'self'",
    "img-src 'self' data:",
    `frame-src ${widget}`,
    "base-uri 'none'",
    "form-action 'self'",
  ].join('; ')

type Product = { id: string; name: string; price: string; note: string; shape: string; tone: string }

const products: Product[] = [
  {
    id: 'caneca-barro',
    name: 'Caneca de barro',
    price: 'R$ 68,00',
    note: 'Esmalte fosco, 280 ml. Vai ao micro-ondas e à lava-louças.',
    shape:
      '<path d="M62 62h68v66q0 18-18 18H80q-18 0-18-18z"/><path d="M130 78q28-2 28 20t-28 22" fill="none" stroke-width="11"/>',
    tone: 'terra',
  },
  {
    id: 'vaso-jatoba',
    name: 'Vaso Jatobá',
    price: 'R$ 240,00',
    note: 'Torneado à mão, 24 cm de altura. Cada peça sai um pouco diferente.',
    shape: '<path d="M86 36h36q-5 16 2 28 28 20 28 50 0 38-34 38H90q-34 0-34-38 0-30 28-50 7-12 2-28z"/>',
    tone: 'mata',
  },
  {
    id: 'prato-raso',
    name: 'Prato raso',
    price: 'R$ 92,00',
    note: 'Grés de alta temperatura, 26 cm. Vendido por unidade.',
    shape: '<ellipse cx="104" cy="98" rx="70" ry="46"/><ellipse class="inner" cx="104" cy="94" rx="44" ry="27"/>',
    tone: 'areia',
  },
  {
    id: 'bule-neblina',
    name: 'Bule Neblina',
    price: 'R$ 310,00',
    note: 'Para 700 ml de chá. Alça de couro costurada no ateliê.',
    shape:
      '<path d="M58 92q0-30 44-30t44 30q0 54-44 54t-44-54z"/><path d="M60 96 32 78l4-8 30 12z"/><path d="M66 66q36-46 72 0" fill="none" stroke-width="7"/><circle cx="102" cy="56" r="8"/>',
    tone: 'ceu',
  },
]

const picture = ({ shape, tone, name }: Product) =>
  `<svg class="picture ${tone}" viewBox="0 0 208 180" role="img" aria-label="${name}"><ellipse class="shadow" cx="104" cy="152" rx="62" ry="8"/>${shape}</svg>`

const home = () => `
  <section class="hero">
    <div>
      <h1>Cerâmica feita devagar, em Cunha</h1>
      <p>Peças de uso diário, queimadas em forno a lenha. Enviamos para todo o Brasil em até cinco dias úteis.</p>
      <a class="button" href="#pecas">Ver as peças</a>
    </div>
    <svg viewBox="0 0 400 260" aria-hidden="true">
      <path class="hill back" d="M0 190 110 90l80 70 70-50 140 90v70H0z"/>
      <path class="hill front" d="M0 220q110-70 210-20t190-10v70H0z"/>
      <circle class="sun" cx="304" cy="70" r="34"/>
    </svg>
  </section>
  <section id="pecas">
    <h2>Peças desta fornada</h2>
    <ul class="products">
      ${products
        .map(
          (product) =>
            `<li><a href="/produto/${product.id}">${picture(product)}<strong>${product.name}</strong><span>${product.price}</span></a></li>`,
        )
        .join('')}
    </ul>
  </section>`

const detail = (product: Product) => `
  <section class="detail">
    ${picture(product)}
    <div>
      <h1>${product.name}</h1>
      <p class="price">${product.price}</p>
      <p>${product.note}</p>
      <p>Dúvidas sobre medidas, cores ou prazo? Fale com a gente pelo chat, aqui embaixo.</p>
      <a class="button" href="/#pecas">Ver outras peças</a>
    </div>
  </section>`

const exchange = `
  <section class="reading">
    <h1>Trocas e entregas</h1>
    <p>Enviamos em até cinco dias úteis, com código de rastreio. Acima de R$ 400,00 a entrega é por nossa conta.</p>
    <p>Se a peça chegar quebrada, mande uma foto pelo chat em até sete dias. Enviamos outra ou devolvemos o dinheiro.</p>
    <p>Você pode desistir da compra em até sete dias depois de receber.</p>
  </section>`

const missing =
  '<section class="reading"><h1>Não achamos esta página</h1><p><a href="/">Voltar à loja</a></p></section>'

const shell = ({ balcaoUrl, channelKey, identity }: ShopPageOptions, title: string, body: string) => `<!doctype html>
<html lang="pt-BR">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title === 'Ateliê Jatobá' ? title : `${title} · Ateliê Jatobá`}</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/shop.css">
    ${identity ? '<script src="/identity.js"></script>' : ''}
    <script async src="${escapeHtml(balcaoUrl)}/widget.js" data-channel="${escapeHtml(channelKey)}"></script>
  </head>
  <body>
    <header>
      <a class="brand" href="/">Ateliê Jatobá</a>
      <nav><a href="/#pecas">Peças</a><a href="/trocas">Trocas e entregas</a></nav>
    </header>
    <main>${body}</main>
    <footer>Ateliê Jatobá · Cunha, SP · aberto de segunda a sábado, das 9h às 18h</footer>
  </body>
</html>`

const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
