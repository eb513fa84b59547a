import { placeResource } from '@balcao/contract/conversations/places.ts'
import { Stack, TextInput } from '@mantine/core'
import { PlaceSearch } from '../../../features/conversations/places/place-search.tsx'
import { PointLine } from '../../../features/conversations/places/point-line.tsx'
import { ResourceScreen } from '../../../kit/resource-screen.tsx'
import { changedColumn } from '../../../kit/row-columns.tsx'

export default function LojasScreen() {
  return (
    <ResourceScreen
      resource={placeResource}
      title="Nossas lojas"
      purpose="Endereços que a equipe envia com um clique, em “+” › Localização."
      emptyText="Cadastre a loja, o balcão de retirada ou a oficina: ninguém mais digita o endereço."
      columns={[
        { key: 'name' },
        { key: 'address' },
        {
          key: 'latitude',
          label: 'No mapa',
          render: ({ latitude }) => (latitude === null ? 'Só o endereço' : 'Com o ponto'),
        },
        changedColumn('Alterada'),
      ]}
      fields={(form) => (
        <Stack gap="md">
          <TextInput
            label="Nome"
            placeholder="Loja do Centro"
            required
            maxLength={60}
            data-autofocus
            {...form.getInputProps('name')}
          />
          <div>
            <PlaceSearch
              onFound={({ latitude, longitude, address }) =>
                form.setValues({ latitude, longitude, ...(address && { address }) })
              }
            />
          </div>
          <div>
            <TextInput label="Endereço" required maxLength={500} {...form.getInputProps('address')} />
            <PointLine
              latitude={form.values.latitude ?? null}
              longitude={form.values.longitude ?? null}
              without="Sem o ponto no mapa: vai como texto, com um link que procura o endereço."
              onClear={() => form.setValues({ latitude: null, longitude: null })}
            />
          </div>
        </Stack>
      )}
    />
  )
}
