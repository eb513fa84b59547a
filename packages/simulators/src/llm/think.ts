import { lastText, type Reply, type Turn } from './turn.ts'

/**
 * What the model of the demonstration says: no intelligence, but believable and always the same. What it is asked for it
 * knows by words that stand in its instructions.
 */
export const think = (turn: Turn): Reply => {
  const asked = lastText(turn)
  const { system } = turn
  if (/traduz/i.test(system)) return { text: translated(textIn(asked), /inglês/i.test(system)) }
  if (/próxima ação/i.test(system)) return { text: nextStep(lastOfCustomer(asked)) }
  if (/json/i.test(system)) return { text: fieldsFor(system, asked) }
  if (/resum/i.test(system)) return { text: summaryOf(asked) }
  if (/reescrev/i.test(system)) return { text: rewritten(asked, system) }
  const result = turn.messages.at(-1)?.role === 'tool' ? turn.messages.at(-1)?.text : undefined
  if (result) return { text: `Verifiquei aqui: ${plain(result).slice(0, 300)}` }
  const known = bestSentence(system, asked)
  if (known) return { text: known }
  return { text: replyTo(lastOfCustomer(asked)) }
}

/** What is marked as the text, where a conversation stands beside it. */
const textIn = (asked: string) => /<<TEXTO\n([\s\S]*)\nTEXTO>>/.exec(asked)?.[1] ?? asked
const lastOfCustomer = (asked: string) =>
  /Cliente: (.*)$/gm.exec(asked.split('\n').findLast((line) => line.startsWith('Cliente:')) ?? '')?.[1] ?? asked

const plain = (text: string) =>
  text
    .replace(/[{}"[\]]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
const words = (text: string) =>
  new Set(
    (
      text
        .toLowerCase()
        .normalize('NFD')
        .replace(/\p{M}/gu, '')
        .match(/[a-z\d]{4,}/g) ?? []
    ).filter((one) => !common.has(one)),
  )
const common = new Set([
  'para',
  'voce',
  'como',
  'qual',
  'quais',
  'quando',
  'onde',
  'esta',
  'este',
  'essa',
  'esse',
  'isso',
  'mais',
  'cliente',
  'atendente',
  'loja',
])

/** The sentence of what it was given to know that has most of the question's words. */
const bestSentence = (system: string, asked: string): string | undefined => {
  const [, known = ''] = system.split(/Conhecimento:|Base de conhecimento:|Trechos:/i)
  const wanted = words(asked)
  const scored = known
    .replace(/^\[\d+\].*$/gm, '') // headings
    .split(/\n|(?<=[.!?])\s/)
    .map((sentence) => ({
      sentence: sentence.replace(/^[-*\d.\s[\]]+/, '').trim(),
      score: [...words(sentence)].filter((one) => wanted.has(one)).length,
    }))
    .filter(({ sentence, score }) => score > 0 && sentence.length > 15)
    .sort((a, b) => b.score - a.score)
  return scored[0]?.sentence
}

const replyTo = (said: string): string => {
  const rules: [RegExp, string][] = [
    [
      /prazo|entrega|chega|demora/i,
      'Entregas para a capital levam de 2 a 4 dias úteis depois da confirmação do pagamento. Se me passar o CEP, confirmo o prazo do seu endereço.',
    ],
    [
      /troca|devolu|tamanho/i,
      'A troca pode ser feita em até 30 dias, com a etiqueta na peça. Prefere trocar na loja ou que a gente busque aí?',
    ],
    [
      /pre[çc]o|valor|quanto/i,
      'Vou confirmar o valor atualizado e já te passo, com as formas de pagamento. É para retirar na loja ou entregar?',
    ],
    [/hor[áa]rio|abre|fecha/i, 'Atendemos de segunda a sexta, das 8h às 18h, e aos sábados até as 13h.'],
    [/obrigad/i, 'Eu que agradeço! Se precisar de algo mais, é só chamar por aqui.'],
    [
      /pix|boleto|cart[ãa]o|pag/i,
      'Aceitamos Pix, cartão em até 6 vezes sem juros e boleto. Como fica melhor para você?',
    ],
    [
      /defeito|quebr|reclam|problema|ruim/i,
      'Sinto muito por isso. Pode me mandar uma foto e o número do pedido? Vou resolver com você agora.',
    ],
  ]
  return (
    rules.find(([is]) => is.test(said))?.[1] ??
    'Claro, posso ajudar com isso. Pode me contar um pouco mais para eu verificar o melhor caminho?'
  )
}

const nextStep = (said: string): string => {
  const rules: [RegExp, string][] = [
    [
      /prazo|entrega|chega|demora/i,
      'Confirme o CEP e informe o prazo do endereço: é o que falta para o cliente decidir.',
    ],
    [/troca|devolu|tamanho/i, 'Peça a nota fiscal e combine a troca: o prazo de 30 dias ainda corre.'],
    [/pre[çc]o|valor|quanto/i, 'Mande o valor com as formas de pagamento: o cliente já perguntou e espera.'],
    [/cupom|desconto/i, 'Confira no cadastro se é a primeira compra e diga por que o cupom não valeu.'],
    [/pix|boleto|cart[ãa]o|pag/i, 'Gere o pagamento combinado e confirme quando cair, para liberar a entrega.'],
    [
      /defeito|quebr|reclam|problema|ruim/i,
      'Peça uma foto e o número do pedido e ofereça a troca: há uma reclamação em aberto.',
    ],
    [/obrigad|valeu/i, 'Agradeça e encerre: o cliente deu o assunto por resolvido.'],
  ]
  return rules.find(([is]) => is.test(said))?.[1] ?? 'Responda à última mensagem: o cliente espera desde então.'
}

const summaryOf = (conversation: string): string => {
  const said = conversation
    .split('\n')
    .filter((line) => /^Cliente:/.test(line))
    .map((line) => line.replace(/^Cliente:\s*/, ''))
  const ours = conversation
    .split('\n')
    .filter((line) => /^(Atendente|Equipe|Nós)[^:]*:/.test(line))
    .map((line) => line.replace(/^[^:]*:\s*/, ''))
  const first = said[0] ?? conversation.slice(0, 120)
  return [
    `O cliente procurou a loja: “${first.slice(0, 160)}”.`,
    ours.length ? `Respondemos: “${ours.at(-1)?.slice(0, 160)}”.` : 'Ainda não respondemos.',
    said.length > 1 ? `Por último ele disse: “${said.at(-1)?.slice(0, 160)}”.` : '',
  ]
    .filter(Boolean)
    .join(' ')
}

const rewritten = (text: string, system: string): string => {
  const clean = text
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/\b(vc|voce)\b/gi, 'você')
    .replace(/\bpq\b/gi, 'porque')
    .replace(/\bnao\b/gi, 'não')
    .replace(/\btb\b/gi, 'também')
    .replace(/\bamanha\b/gi, 'amanhã')
  const sentence = clean.charAt(0).toUpperCase() + clean.slice(1) + (/[.!?…]$/.test(clean) ? '' : '.')
  if (/curt/i.test(system)) return sentence.split(/(?<=[.!?])\s/)[0] ?? sentence
  if (/formal/i.test(system))
    return `Prezado(a), ${sentence.charAt(0).toLowerCase()}${sentence.slice(1)} Permanecemos à disposição.`
  if (/amig|próxim|acolhedor/i.test(system)) return `Oi! ${sentence} Qualquer coisa, me chama por aqui 😊`
  return sentence
}

const dictionary: [string, string][] = [
  ['bom dia', 'good morning'],
  ['boa tarde', 'good afternoon'],
  ['olá', 'hello'],
  ['obrigado', 'thank you'],
  ['obrigada', 'thank you'],
  ['pedido', 'order'],
  ['entrega', 'delivery'],
  ['prazo', 'deadline'],
  ['quanto custa', 'how much is'],
  ['loja', 'store'],
  ['amanhã', 'tomorrow'],
  ['hoje', 'today'],
  ['por favor', 'please'],
  ['você', 'you'],
  ['seu', 'your'],
  ['posso ajudar', 'I can help'],
]
const translated = (text: string, toEnglish: boolean) =>
  dictionary.reduce(
    (now, [pt, en]) => now.replace(new RegExp(`\\b${toEnglish ? pt : en}\\b`, 'gi'), toEnglish ? en : pt),
    text,
  )

/** Fields somebody asks for as JSON: of each list the one that has most words of the conversation. */
const fieldsFor = (system: string, conversation: string): string => {
  const wanted = words(conversation)
  const options = [...system.matchAll(/^- (\S+): (.+)$/gm)].map(([, id = '', label = '']) => ({
    id,
    score: [...words(label)].filter((one) => wanted.has(one)).length,
  }))
  const best = options.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score)[0]
  return JSON.stringify({ reasonId: best?.id ?? null, summary: summaryOf(conversation), action: replyTo(conversation) })
}
