import type { MessageSend } from '@balcao/contract/conversations/messages.ts'
import type { Place } from '@balcao/contract/conversations/places.ts'
import { Button, Group, Modal, Text, TextInput } from '@mantine/core'
import { IconBuildingStore } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { placesQuery } from '../../conversations/places/api.ts'
import { asMessage } from '../../conversations/places/as-message.ts'
import { PlaceSearch } from '../../conversations/places/place-search.tsx'
import { PointLine } from '../../conversations/places/point-line.tsx'

type Props = { onClose: () => void; onSend: (message: Partial<MessageSend>) => void }
const empty = { name: '', address: '', latitude: null, longitude: null }

/** A place to send: one of the company's, a CEP, a pasted map link, where this device is, or an address as one types it. */
export const LocationDialog = ({ onClose, onSend }: Props) => {
  const saved = useQuery(placesQuery).data ?? []
  const [place, setPlace] = useState<Pick<Place, 'name' | 'address' | 'latitude' | 'longitude'>>(empty)
  const change = (next: Partial<typeof place>) => setPlace((now) => ({ ...now, ...next }))
  const hasPoint = place.latitude !== null
  const canSend = hasPoint || place.address.trim() !== ''

  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (canSend) onSend(asMessage(place))
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={<Text fw={600}>Enviar localização</Text>}
      closeButtonProps={{ 'aria-label': 'Fechar' }}
    >
      <form onSubmit={handleSubmit}>
        {saved.length > 0 && (
          <>
            <Text size="sm" fw={500} mb={6} id="nossas-lojas">
              Nossas lojas
            </Text>
            <Group gap={6} mb="md" mah={132} style={{ overflowY: 'auto' }} role="group" aria-labelledby="nossas-lojas">
              {saved.map((store, index) => (
                <Button
                  key={store.id}
                  data-autofocus={index === 0 || undefined}
                  variant="default"
                  size="compact-md"
                  maw="100%"
                  title={store.address}
                  leftSection={<IconBuildingStore size={16} aria-hidden />}
                  onClick={() => onSend(asMessage(store))}
                >
                  {store.name}
                </Button>
              ))}
            </Group>
          </>
        )}
        <PlaceSearch isFirst={saved.length === 0} onFound={change} />
        <TextInput
          mt="sm"
          label="Endereço"
          placeholder="Rua, número, bairro e cidade"
          maxLength={500}
          value={place.address}
          onChange={(event) => change({ address: event.currentTarget.value })}
        />
        <TextInput
          mt="sm"
          label="Nome do lugar"
          description="Opcional."
          maxLength={200}
          value={place.name}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
        {canSend && (
          <PointLine
            {...place}
            without="Sem o ponto no mapa: vai como texto, com um link que procura o endereço."
            onClear={() => change({ latitude: null, longitude: null })}
          />
        )}
        <Group justify="flex-end" gap="xs" mt="lg">
          <Button variant="default" onClick={onClose}>
            Cancelar
          </Button>
          <Button type="submit" disabled={!canSend}>
            Enviar
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
