/** Excel in Brazil still saves CSV as Windows-1252. */
export const textOfFile = async (file: File): Promise<string> => {
  const bytes = new Uint8Array(await file.arrayBuffer())
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** Why a file cannot be read as text; undefined where it can. */
export const textFileProblem = ({ name, size }: Pick<File, 'name' | 'size'>, mostMb: number): string | undefined =>
  size > mostMb * 1_000_000
    ? `O arquivo passa de ${mostMb} MB. Divida a lista em partes.`
    : /\.(xlsx?|ods|pdf|zip)$/i.test(name)
      ? 'Este arquivo não é de texto. Salve a planilha como CSV e tente de novo.'
      : undefined
