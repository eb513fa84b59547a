import { Badge, Button, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { basesQuery } from '../../../features/automation/assistants/api.ts'
import { messageOf } from '../../../kit/api-error.ts'
import { useUrlState } from '../../../kit/url-state.ts'
import { useCan } from '../../../kit/use-can.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { ForbiddenState } from '../../../ui/forbidden-state.tsx'
import { Page } from '../../../ui/page.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { SkeletonList } from '../../../ui/skeleton-list.tsx'
import { searchQuery } from './knowledge-api.ts'

/** A question as a customer would ask it, and the passages an assistant would be given. */
export const SearchTab = ({ tabs }: { tabs: ReactNode }) => {
  const mayRead = useCan('assistants.write')
  const [asked, setAsked] = useUrlState('pergunta')
  const [text, setText] = useState(asked)
  const [baseId, setBase] = useState<string | null>(null)
  const bases = useQuery({ ...basesQuery, enabled: mayRead }).data ?? []
  const found = useQuery({ ...searchQuery(asked, baseId), enabled: mayRead && asked !== '' })
  if (!mayRead) return <ForbiddenState />
  return (
    <Page
      header={
        <PageHeader
          title="Conhecimento"
          purpose="Pergunte como um cliente perguntaria, e veja o que um assistente encontraria."
        >
          {tabs}
        </PageHeader>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          setAsked(text.trim())
        }}
      >
        <Group align="flex-end" mb="md">
          <TextInput
            label="Pergunta"
            placeholder="Qual é o prazo de troca?"
            maxLength={500}
            style={{ flex: 1, minWidth: 220 }}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <Select
            label="Base"
            placeholder="Todas"
            clearable
            clearButtonProps={{ 'aria-label': 'Todas as bases' }}
            data={bases.map(({ id, name }) => ({ value: id, label: name }))}
            value={baseId}
            onChange={setBase}
          />
          <Button type="submit" disabled={!text.trim()}>
            Buscar
          </Button>
        </Group>
      </form>
      {found.isError && <ErrorState message={messageOf(found.error)} onRetry={() => void found.refetch()} />}
      {found.isLoading && <SkeletonList rows={3} />}
      {found.data?.length === 0 && (
        <EmptyState title="Nada fala disso">
          Um assistente que só responde com o que sabe passaria esta pergunta para a equipe.
        </EmptyState>
      )}
      <Stack gap="md">
        {found.data?.map(({ chunkId, source, heading, body, score }) => (
          <article key={chunkId}>
            <Group gap="xs">
              <Text size="sm" fw={600}>
                {[source, heading].filter(Boolean).join(' · ')}
              </Text>
              <Badge variant="light" className="tabular">
                {Math.round(score * 100)} %
              </Badge>
            </Group>
            <Text size="sm" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }} maw="68ch">
              {body}
            </Text>
          </article>
        ))}
      </Stack>
    </Page>
  )
}
