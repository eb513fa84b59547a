export const snippetOf = (origin: string, channelKey: string) =>
  `<script async src="${origin}/widget.js" data-channel="${channelKey}"></script>`

/** What a strict policy has to let in; the button's styles need no unsafe-inline. */
export const policyOf = (origin: string) => `script-src ${origin}; frame-src ${origin}`

/** A page to begin with: of the first domain that is one. */
export const firstSiteOf = ({ domains }: Record<string, unknown>): string => {
  const [first] = Array.isArray(domains) ? domains.filter((one) => typeof one === 'string' && !one.startsWith('*')) : []
  return first ? `${/^(localhost|127\.)/.test(first) ? 'http' : 'https'}://${first}/` : ''
}

export const jsCalls = [
  ["Balcao('open')", 'Abre a janela. Também: close e toggle.'],
  ["Balcao('hide')", 'Esconde o botão; show o traz de volta.'],
  ["Balcao('identify', { jwt })", 'Diz quem entrou no site. Com HMAC: { id, name, email, hmac }.'],
  ["Balcao('reset')", 'Quem saiu do site sai do chat: chame no logout.'],
  ["Balcao('page')", 'Avisa que a página mudou, quando o endereço continua o mesmo.'],
] as const

export const events = [
  ["Balcao('on', 'ready', fn)", 'O chat está pronto para comandos.'],
  ["Balcao('on', 'open', fn)", 'A janela abriu; close quando fechou.'],
  ["Balcao('on', 'unread', fn)", 'fn recebe quantas mensagens não foram lidas.'],
  ["Balcao('on', 'offer', fn)", 'Uma mensagem proativa apareceu; fn recebe o código dela.'],
] as const

export const identityExamples = (channelKey: string) => [
  {
    value: 'node',
    label: 'Node.js (JWT)',
    code: `import { SignJWT } from 'jose'

const jwt = await new SignJWT({ sub: String(cliente.id), name: cliente.nome, email: cliente.email })
  .setProtectedHeader({ alg: 'HS256' })
  .setAudience('${channelKey}')
  .setExpirationTime('10m')
  .sign(new TextEncoder().encode(process.env.BALCAO_SEGREDO))

// na página:  Balcao('identify', { jwt })`,
  },
  {
    value: 'php',
    label: 'PHP (JWT)',
    code: `<?php // composer require firebase/php-jwt
$jwt = Firebase\\JWT\\JWT::encode([
  'sub' => (string) $cliente->id,
  'name' => $cliente->nome,
  'email' => $cliente->email,
  'aud' => '${channelKey}',
  'exp' => time() + 600,
], getenv('BALCAO_SEGREDO'), 'HS256');
?>
<script>
  window.Balcao = window.Balcao || function () { (Balcao.q = Balcao.q || []).push(arguments) }
  Balcao('identify', { jwt: <?= json_encode($jwt) ?> })
</script>`,
  },
  {
    value: 'hmac',
    label: 'HMAC',
    code: `// Node.js
const hmac = crypto.createHmac('sha256', process.env.BALCAO_SEGREDO).update(String(cliente.id)).digest('hex')
// PHP
$hmac = hash_hmac('sha256', (string) $cliente->id, getenv('BALCAO_SEGREDO'));

// na página:  Balcao('identify', { id: '42', name: 'Helena Dias', hmac })`,
  },
]
