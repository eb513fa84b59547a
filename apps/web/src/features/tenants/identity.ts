/** CPF or CNPJ as it is written on paper; anything else as it is. CNPJs may carry letters since 2026. */
export const showIdentity = (text: string): string => {
  const plain = text.replace(/[\s./-]/g, '').toUpperCase()
  if (/^\d{11}$/.test(plain)) return plain.replace(/^(\d{3})(\d{3})(\d{3})(\d{2})$/, '$1.$2.$3-$4')
  if (/^[A-Z\d]{12}\d{2}$/.test(plain)) return plain.replace(/^(.{2})(.{3})(.{3})(.{4})(.{2})$/, '$1.$2.$3/$4-$5')
  return text
}
