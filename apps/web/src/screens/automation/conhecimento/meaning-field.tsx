import { type KnowledgeBase, mostWithoutPgvector } from '@balcao/contract/automation/assistants/knowledge.ts'
import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { embeddersQuery } from '../../../features/automation/assistants/api.ts'
import { formatNumber } from '../../../kit/format.ts'
import { baseQuery } from './knowledge-api.ts'

type Input = { label: string; value: string | null; onChange: (value: string | null) => void; error?: string }

/** Which account finds passages by what they mean, and how far it is. */
export const MeaningField = ({ base, input }: { base: KnowledgeBase | null; input: object }) => {
  const accounts = useQuery(embeddersQuery).data
  const { label, value, onChange, error } = input as Input // as the form gives any field
  const isSaved = base !== null && base.integrationId !== null && base.integrationId === value
  // Nothing tells when a worker is through with a source.
  const told = useQuery({
    ...baseQuery(base?.id ?? ''),
    enabled: isSaved,
    refetchInterval: ({ state: { data } }) => (data && !data.isTooLarge && data.embedded < data.chunks ? 2_000 : false),
  }).data
  return (
    <Select
      label={label}
      description={isSaved ? stateOf(told ?? base) : explanation(accounts?.length ?? 1)}
      placeholder="Só pelas palavras"
      clearable
      clearButtonProps={{ 'aria-label': 'Só pelas palavras' }}
      disabled={accounts?.length === 0 && !value}
      data={(accounts ?? []).map(({ id, name }) => ({ value: id, label: name }))}
      value={value || null}
      onChange={onChange}
      error={error}
    />
  )
}

const explanation = (accounts: number) =>
  accounts
    ? 'Acha também o que diz o mesmo com outras palavras. Os trechos e cada pergunta vão para esta conta, que cobra por isso.'
    : 'Acha também o que diz o mesmo com outras palavras. Para usar, preencha o modelo de embeddings numa conta de assistentes.'

const stateOf = ({ chunks, embedded, isTooLarge }: KnowledgeBase) => {
  if (isTooLarge)
    return `Com mais de ${formatNumber(mostWithoutPgvector)} trechos, só as palavras são buscadas: o banco de dados desta instalação não tem a extensão pgvector.`
  if (embedded < chunks)
    return `${formatNumber(embedded)} de ${formatNumber(chunks)} trechos prontos; os outros são buscados pelas palavras.`
  return `Todos os ${formatNumber(chunks)} trechos estão prontos.`
}
