/**
 * Who answers a customer's word by itself, the first that has something to say: the customer's own wish to end it, then,
 * behind the person who attends, assistants, flows, automatic answers and the words for closed hours.
 */
export const turnOwners = ['customer', 'assistant', 'flow', 'autoReply', 'absence'] as const
export type TurnOwner = (typeof turnOwners)[number]
/** As the team reads of it. */
export const turnOwnerLabels: Record<TurnOwner, string> = {
  customer: 'Encerramento pedido pelo cliente',
  assistant: 'Assistente',
  flow: 'Fluxo',
  autoReply: 'Resposta automática',
  absence: 'Mensagem de ausência',
}
