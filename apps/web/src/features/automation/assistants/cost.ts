/** What a model cost, in reais: cents where they say something, else the fraction of one. */
export const costText = (micros: number): string =>
  (micros / 1_000_000).toLocaleString('pt-BR', {
    ...{ style: 'currency', currency: 'BRL' },
    maximumFractionDigits: micros > 0 && micros < 100_000 ? 4 : 2,
  })
