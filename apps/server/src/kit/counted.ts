/** "1 conversa", "1.250 conversas". */
export const counted = (n: number, one: string, many: string) =>
  `${new Intl.NumberFormat('pt-BR').format(n)} ${n === 1 ? one : many}`
