import {
  type farewellResourceOfGroups,
  greetingProblems,
  type greetingResource,
} from '@balcao/contract/operations/group-rules.ts'
import { Textarea } from '@mantine/core'
import { MediaField } from '../../../features/core/media/media-field.tsx'
import { PlaceFields, placeText } from '../../../features/operations/groups/place-fields.tsx'
import { ResourceScreen } from '../../../kit/resource-screen.tsx'
import { activeColumn } from '../../../kit/row-columns.tsx'
import { GoTo } from '../../../ui/go-to.tsx'

type Props = {
  resource: typeof greetingResource | typeof farewellResourceOfGroups
  title: string
  purpose: string
  emptyText: string
  createLabel: string
  logOf: 'greeting' | 'farewell'
  example: string
}

/** What is said in a group by itself: once for all who came, or left, together. */
export const SayingScreen = ({ resource, title, purpose, emptyText, createLabel, logOf, example }: Props) => (
  <ResourceScreen
    resource={resource as typeof greetingResource}
    title={title}
    purpose={purpose}
    emptyText={emptyText}
    createLabel={createLabel}
    tools={<GoTo to={`/grupo/registro?regra=${logOf}`} label="Registro" />}
    rowName={({ message, connection }) => message.slice(0, 40) || connection.name}
    check={greetingProblems}
    columns={[
      {
        key: 'message',
        render: ({ message, media }) => <span className="truncate">{message || media?.name || '—'}</span>,
        csv: ({ message, media }) => message || media?.name,
      },
      { key: 'groupIds', label: 'Onde', width: 320, wideOnly: true, render: placeText, csv: placeText },
      activeColumn('Em uso', 'Desligada'),
    ]}
    fields={(form, row, inputOf) => (
      <>
        <Textarea
          {...inputOf('message')}
          placeholder={example}
          description="{{name}} é quem entrou ou saiu, {{group}} é o grupo. Quem vem junto aparece na mesma mensagem."
          autosize
          minRows={4}
        />
        <MediaField
          label="Arquivo"
          media={row?.media ?? null}
          value={form.values.mediaId}
          onChange={(id) => form.setFieldValue('mediaId', id)}
          error={form.errors.mediaId}
        />
        <PlaceFields values={form.values} errors={form.errors} onChange={form.setValues} />
      </>
    )}
  />
)
