import type { ContactImport } from '@balcao/contract/contacts/imports.ts'
import { formatNumber, plural } from '../../../kit/format.ts'

/** How an import stands, in a word of its own row. */
export const importState = ({ state, counts }: ContactImport): string => {
  switch (state) {
    case 'reading':
      return 'Lendo o arquivo'
    case 'read':
      return 'Falta dizer as colunas'
    case 'checking':
      return 'Conferindo as linhas'
    case 'checked':
      return 'Conferida: falta importar'
    case 'running': {
      const total = counts.create + counts.update
      return total
        ? `Importando: ${formatNumber(counts.created + counts.updated)} de ${formatNumber(total)}`
        : 'Importando'
    }
    case 'done':
      return resultText(counts)
    case 'undoing':
      return 'Desfazendo'
    case 'undone':
      return `Desfeita: ${undoneText(counts)}`
    case 'stopped':
      return counts.created + counts.updated > 0 ? `Interrompida: ${resultText(counts)}` : 'Interrompida'
    case 'failed':
      return 'Não foi possível concluir'
  }
}

export const resultText = ({ created, updated }: ContactImport['counts']): string =>
  created + updated === 0
    ? 'Nada mudou'
    : [
        created > 0 && plural(created, 'contato criado', 'contatos criados'),
        updated > 0 && plural(updated, 'atualizado', 'atualizados'),
      ]
        .filter(Boolean)
        .join(', ')

const undoneText = ({ deleted, restored, kept }: ContactImport['counts']): string =>
  [
    (deleted > 0 || restored + kept === 0) && plural(deleted, 'contato apagado', 'contatos apagados'),
    restored > 0 && plural(restored, 'voltou ao que era', 'voltaram ao que eram'),
    kept > 0 && plural(kept, 'ficou, porque já está em uso', 'ficaram, porque já estão em uso'),
  ]
    .filter(Boolean)
    .join(', ')

export const encodingLabels: Record<string, string> = {
  'utf-8': 'UTF-8',
  'windows-1252': 'Windows (ANSI)',
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16 (invertido)',
}
export const delimiterLabels: Record<string, string> = {
  ';': 'Ponto e vírgula',
  ',': 'Vírgula',
  '\t': 'Tabulação',
  '|': 'Barra vertical',
}
