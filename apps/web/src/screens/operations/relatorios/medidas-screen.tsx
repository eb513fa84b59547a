import { plainWords } from '@balcao/contract/core/plain-words.ts'
import { measures, otherMeasures } from '@balcao/contract/operations/reports/measures.ts'
import { Table, Text, TextInput, Title } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { GoTo } from '../../../ui/go-to.tsx'
import { Page } from '../../../ui/page.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'

const lists = [
  { title: 'Dos atendimentos', rows: Object.entries(measures) },
  { title: 'De outros relatórios', rows: Object.entries(otherMeasures) },
]

export default function MedidasScreen() {
  const [sought, setSought] = useState('')
  const found = lists.flatMap(({ title, rows }) => {
    const some = rows.filter(([, { label, how }]) => plainWords(`${label} ${how}`).includes(plainWords(sought)))
    return some.length ? [{ title, rows: some }] : []
  })
  return (
    <Page
      header={
        <PageHeader
          title="Como cada número é calculado"
          purpose="A mesma definição em todos os relatórios, no início e no monitor."
          actions={<GoTo to="/relatorios" label="Ver os relatórios" />}
        />
      }
    >
      <TextInput
        aria-label="Buscar um número"
        placeholder="Buscar um número"
        leftSection={<IconSearch size={16} aria-hidden />}
        value={sought}
        onChange={(event) => setSought(event.currentTarget.value)}
        maw={320}
      />
      {!found.length && (
        <Text c="dimmed" mt="md" role="status">
          Nenhum número com “{sought}”.
        </Text>
      )}
      {found.map(({ title, rows }) => (
        <section key={title} aria-label={title}>
          <Title order={2} size="h4" mt="md" mb="xs">
            {title}
          </Title>
          <Table aria-label={title}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th w={{ base: 120, sm: 220 }}>Número</Table.Th>
                <Table.Th>O que conta</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map(([key, { label, how }]) => (
                <Table.Tr key={key}>
                  <Table.Th scope="row" fw={600}>
                    {label}
                  </Table.Th>
                  <Table.Td>
                    <Text size="sm">{how}</Text>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </section>
      ))}
    </Page>
  )
}
