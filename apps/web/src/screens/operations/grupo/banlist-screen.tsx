import { banResource } from '@balcao/contract/operations/group-rules.ts'
import { TextInput } from '@mantine/core'
import { showPhone } from '../../../features/contacts/contacts/phone.ts'
import { PlaceFields, placeText } from '../../../features/operations/groups/place-fields.tsx'
import { ResourceScreen } from '../../../kit/resource-screen.tsx'
import { activeColumn } from '../../../kit/row-columns.tsx'
import { GoTo } from '../../../ui/go-to.tsx'

export default function BanlistScreen() {
  return (
    <ResourceScreen
      resource={banResource}
      title="Banidos dos grupos"
      purpose="Estes números são removidos do grupo sempre que estiverem nele, se o canal for administrador."
      emptyText="Coloque aqui quem não deve voltar. Quem já está no grupo sai na hora."
      createLabel="Banir número"
      tools={<GoTo to="/grupo/registro?regra=ban" label="Registro" />}
      rowName={({ number }) => showPhone(number)}
      toValues={({ number }) => ({ number: showPhone(number) })}
      columns={[
        { key: 'number', width: 200, render: ({ number }) => showPhone(number), csv: ({ number }) => number },
        { key: 'groupIds', label: 'Onde', wideOnly: true, render: placeText, csv: placeText },
        { key: 'reason', wideOnly: true },
        activeColumn('Em uso', 'Desligado'),
      ]}
      fields={(form, _row, inputOf) => (
        <>
          <TextInput
            {...inputOf('number')}
            description="Com DDD; de outro país, comece com +."
            placeholder="11 98765-4321"
            inputMode="tel"
          />
          <PlaceFields values={form.values} errors={form.errors} onChange={form.setValues} />
          <TextInput {...inputOf('reason')} description="Para a equipe se lembrar. Aparece no registro." />
        </>
      )}
    />
  )
}
