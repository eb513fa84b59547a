import { clinicTalks, shopTalks } from '../apps/server/src/demo/people.ts'

const common =
  `pedido entrega prazo produto loja troca boleto cartão pagamento endereço telefone cadastro nota fiscal desconto cupom
frete rastreio código senha conta amanhã hoje ontem semana mês horário consulta exame retorno agenda médico convênio atendimento
favor obrigado obrigada certo combinado perfeito aguardo preciso gostaria consigo queria posso podem vocês ainda depois antes
agora quando onde como porque porém também sobre para com sem uma outro mesma tamanho cor azul branco preto vermelho modelo
estoque disponível reserva retirar enviar receber confirmar cancelar mudar trocar devolver comprar pagar parcelar juros valor
total parte caixa embalagem defeito garantia assistência técnico visita orçamento proposta contrato assinatura renovação plano
bom dia boa tarde noite tudo bem sim não claro foto comprovante anexo documento link site aplicativo erro tela login`.split(
    /\s+/,
  )

/** Words so rare that a search for one should read next to nothing. */
export const rareWords =
  `ornitorrinco jabuticaba paralelepípedo berimbau caleidoscópio quiproquó estapafúrdio murundu tergiversar bugiganga
lambisgoia catapimba quindim rapadura xilofone zarabatana vuvuzela tucupi pororoca maracujá jacarandá cupuaçu bergamota
acarajé chimarrão carranca forrobodó mandacaru peteca saracura siricutico tamborim urucum vatapá xaxim zabumba araponga
borogodó cafuné dengo`.split(/\s+/)

/** Halves of messages, about forty characters each; two of them make one. The same on every run. */
export const phrases = (howMany: number): string[] => {
  const next = randomFrom(20_261_120)
  const pick = (list: string[]) => list[Math.floor(next() * list.length)] ?? ''
  const spoken = [...shopTalks, ...clinicTalks].flat().map((line) => line.text)
  return Array.from({ length: howMany }, () => {
    let text = next() < 0.2 ? pick(spoken) : pick(common)
    while (text.length < 34) text += ` ${next() < 0.04 ? Math.floor(next() * 90_000 + 10_000) : pick(common)}`
    return text.slice(0, 60)
  })
}

/** mulberry32: small, and the same everywhere. */
const randomFrom = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
}
