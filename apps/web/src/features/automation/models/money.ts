/** Micro-reais as people read them; less than a cent is not nothing. */
export const moneyOf = (micros: number): string => {
  const reais = micros / 1_000_000
  const isSmall = reais > 0 && reais < 0.01
  return reais.toLocaleString('pt-BR', { style: 'currency', currency: 'BRL', maximumFractionDigits: isSmall ? 4 : 2 })
}
