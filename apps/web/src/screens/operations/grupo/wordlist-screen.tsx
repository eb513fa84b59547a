import {
  usualWarning,
  type WordAction,
  wordActionLabels,
  wordActions,
  wordResource,
} from '@balcao/contract/operations/group-rules.ts'
import { Select, Switch, TagsInput, Textarea } from '@mantine/core'
import { showPhone } from '../../../features/contacts/contacts/phone.ts'
import { PlaceFields, placeText } from '../../../features/operations/groups/place-fields.tsx'
import { ResourceScreen } from '../../../kit/resource-screen.tsx'
import { activeColumn } from '../../../kit/row-columns.tsx'
import { GoTo } from '../../../ui/go-to.tsx'

export default function WordlistScreen() {
  return (
    <ResourceScreen
      resource={wordResource}
      title="Palavras proibidas"
      purpose="O que não pode ser escrito nos grupos, em textos e legendas, e o que acontece com quem escreve."
      emptyText="Acentos, maiúsculas e letras separadas não escapam: “g.o.l.p.e” é “golpe”."
      createLabel="Proibir palavras"
      tools={<GoTo to="/grupo/registro?regra=word" label="Registro" />}
      rowName={({ word }) => word}
      newValues={{ warning: usualWarning }}
      toValues={({ spared }) => ({ spared: spared.map(showPhone) })}
      columns={[
        { key: 'word' },
        {
          key: 'action',
          width: 220,
          render: ({ action }) => wordActionLabels[action],
          csv: ({ action }) => wordActionLabels[action],
        },
        { key: 'groupIds', label: 'Onde', wideOnly: true, render: placeText, csv: placeText },
        activeColumn('Em uso', 'Desligada'),
      ]}
      fields={(form, _row, inputOf) => (
        <>
          <Textarea
            {...inputOf('word')}
            description="Palavras ou expressões inteiras, uma por linha ou separadas por vírgula."
            placeholder={'golpe\npix na frente'}
            autosize
            minRows={2}
            maxRows={10}
          />
          <Select
            label="O que fazer"
            allowDeselect={false}
            data={wordActions.map((value) => ({ value, label: wordActionLabels[value] }))}
            value={form.values.action}
            onChange={(value) => form.setFieldValue('action', (value ?? 'delete') as WordAction)}
          />
          <Textarea
            {...inputOf('warning')}
            description="Dito no grupo, no máximo uma vez por minuto a cada pessoa. {{name}} é quem escreveu, {{group}} é o grupo. Vazio: nada é dito."
            autosize
            minRows={2}
          />
          <Switch
            label="Administradores do grupo podem usar"
            {...form.getInputProps('sparesAdmins', { type: 'checkbox' })}
          />
          <TagsInput
            label="Quem mais pode"
            description="Números com DDD; Enter depois de cada um."
            placeholder="11 98765-4321"
            {...form.getInputProps('spared')}
          />
          <PlaceFields values={form.values} errors={form.errors} onChange={form.setValues} />
        </>
      )}
    />
  )
}
