import type { AssistantConfig, HandOverReason } from '@balcao/contract/automation/assistants/config.ts'
import { plainWords } from '@balcao/contract/core/plain-words.ts'

const person =
  'atendente|atendimento humano|humano|pessoa|alguem|vendedor|gerente|supervisor|consultor|operador|responsavel'
const wanted = [
  new RegExp(
    `\\b(falar|conversar|tratar|transfer\\w*|passa\\w*|chama\\w*|quero|queria|preciso|gostaria|tem|cade)\\b.*\\b(${person})\\b`,
  ),
  /^(atendente|humano|pessoa|atendimento humano|falar com (um )?(atendente|humano|alguem|pessoa))$/,
  /\b(nao quero|chega de|odeio) (falar com )?(robo|bot|maquina|ia)\b/,
  /\b(speak|talk) (to|with) (a |an )?(human|person|agent|representative|someone)\b/,
  /\b(hablar|habla) con (una |un )?(persona|humano|agente|alguien)\b/,
]
const anger = [
  /\b(procon|reclame ?aqui|advogado|processar voces|vou processar|acao judicial|justica contra)\b/,
  /\b(absurdo|palhacada|vergonha|ridiculo|pessimo|pessima|horrivel|lixo|enganad[oa]|golpe|revoltad[oa]|indignad[oa]|incompetente\w*)\b/,
  /\b(porra|caralho|merda|puta que pariu|vai se f\w+|foda|fdp)\b/,
]
const money = [
  /\b(reembols\w+|estorn\w+|devolucao do (dinheiro|valor)|devolver (o|meu) dinheiro|dinheiro de volta)\b/,
  /\b(cobranca|cobrad[oa]|cobraram|debitad[oa]) (indevid[oa]|errad[oa]|duas vezes|a mais|em duplicidade)\b/,
  /\b(renegoci\w+|divida|acordo de pagamento|negativad[oa]|serasa|spc)\b/,
]
const fits = (patterns: readonly RegExp[], text: string) => patterns.some((one) => one.test(text))

/** Rules that need no model: what the customer's own words say. First the words the company chose. */
export const ruleOf = (config: AssistantConfig, said: string, turns: number): HandOverReason | undefined => {
  const text = plainWords(said)
  const { handOver, stopWords } = config
  if (isWord(stopWords, said)) return 'stopped'
  if (handOver.asked && fits(wanted, text)) return 'asked'
  if (handOver.angry && fits(anger, text)) return 'angry'
  if (handOver.money && fits(money, text)) return 'money'
  if (handOver.afterTurns !== null && turns >= handOver.afterTurns) return 'turns'
  return undefined
}

/** The whole message is one of these words, accents and case aside; of several messages the last one counts. */
export const isWord = (words: readonly string[], said: string): boolean => {
  const last = plainWords(said.split('\n').at(-1) ?? '')
  return last !== '' && words.some((one) => plainWords(one) === last)
}

const smallTalk =
  /^(oi+|ola|opa|e ai|bom dia|boa tarde|boa noite|tudo bem|tudo bom|obrigad[oa]|muito obrigad[oa]|valeu|ok|certo|beleza|sim|nao|tchau|ate mais|por favor|entendi|perfeito|otimo|hello|hi|thanks|thank you|hola|gracias|buenos dias)( |$)/
const asks =
  /\b(qual|quais|quanto|quanta|quando|onde|como|quem|porque|por que|o que|posso|pode|tem|voces|aceita|fazem|what|which|when|where|how|can|do you|cual|cuanto|cuando|donde|puedo|tienen)\b/
/** Asked as a wish or an order, as in speech and where nobody types a question mark. */
const wants = [
  /\b(quero|queria|gostaria|preciso|precisava|posso)( muito| so)?( de)? (saber|entender|confirmar|conferir|consultar|verificar)\b/,
  /\bme (diz|diga|fala|fale|informa|informe|explica|explique|conta|conte|passa|passe)\b/,
  /\b(duvida|informacao|informacoes) (sobre|de|do|da|dos|das|a respeito)\b/,
  /\b(would like|want|need) to (know|check|confirm)\b/,
  /\b(quisiera|quiero|necesito|me gustaria) saber\b/,
]
/** Whether this wants something known: greetings, thanks and short answers do not. */
export const isQuestion = (said: string): boolean => {
  const text = plainWords(said)
  if (!text) return false
  if (said.includes('?')) return text.split(' ').length > 2 || !smallTalk.test(text)
  const bare = text.replace(smallTalk, '').trim()
  return (asks.test(bare) || fits(wants, bare)) && bare.split(' ').length >= 2
}

const yes =
  /^(sim|s|isso|confirmo|confirmado|confirmar|pode|pode sim|pode fazer|pode gerar|quero|ok|certo|claro|com certeza|isso mesmo|sim por favor|aceito|yes|si)( (por favor|pode|confirmo|quero|isso mesmo))?$/
/** The customer agrees, and says nothing else: anything more is not agreement to what was asked. */
export const isYes = (said: string): boolean => yes.test(plainWords(said))
