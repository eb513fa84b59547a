import { banResource } from '@balcao/contract/operations/group-rules.ts'
import { Button, TextInput } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { showPhone } from '../../../features/contacts/contacts/phone.ts'
import { PlaceFields, placeText } from '../../../features/operations/groups/place-fields.tsx'
import { ResourceScreen } from '../../../kit/resource-screen.tsx'
import { activeColumn } from '../../../kit/row-columns.tsx'
import { useCan } from '../../../kit/use-can.ts'
import { GoTo } from '../../../ui/go-to.tsx'

const BanManyDrawer = lazy(async () => ({ default: (await import('./ban-many-drawer.tsx')).BanManyDrawer }))

export default function BanlistScreen() {
  const mayWrite = useCan('groups.write')
  const [isMany, setMany] = useState(false)
  return (
    <>
      <ResourceScreen
        resource={banResource}
        title="Banidos dos grupos"
        purpose="Estes números são removidos do grupo sempre que estiverem nele, se o canal for administrador."
        emptyText="Coloque aqui quem não deve voltar. Quem já está no grupo sai na hora."
        createLabel="Banir número"
        tools={
          <>
            {mayWrite && (
              <Button variant="default" onClick={() => setMany(true)}>
                Banir vários
              </Button>
            )}
            <GoTo to="/grupo/registro?regra=ban" label="Registro" />
          </>
        }
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
      <Suspense fallback={null}>{isMany && <BanManyDrawer onClose={() => setMany(false)} />}</Suspense>
    </>
  )
}
