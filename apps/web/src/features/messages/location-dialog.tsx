import type { MessageSend } from '@balcao/contract/messages.ts'
import { Anchor, Button, Group, Modal, NumberInput, Text, TextInput } from '@mantine/core'
import { IconCurrentLocation, IconExternalLink, IconMapPin } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { parsePlace } from './place.ts'

type Location = NonNullable<MessageSend['location']>
type Props = { onClose: () => void; onSend: (location: Location) => void }

/** A place to send: a pasted map link, where this device is, or coordinates. Without a map: see docs/decisions/0010. */
export const LocationDialog = ({ onClose, onSend }: Props) => {
  const [link, setLink] = useState('')
  const [latitude, setLatitude] = useState<number | string>('')
  const [longitude, setLongitude] = useState<number | string>('')
  const [name, setName] = useState('')
  const [address, setAddress] = useState('')
  const [error, setError] = useState<string | null>(null)
  const [isLocating, setLocating] = useState(false)
  const place = typeof latitude === 'number' && typeof longitude === 'number' ? { latitude, longitude } : null

  const handleLink = (text: string) => {
    setLink(text)
    const found = parsePlace(text)
    setError(!found && /^https?:/i.test(text.trim()) ? noPoint : null)
    if (!found) return
    setLatitude(found.latitude)
    setLongitude(found.longitude)
  }
  const handleLocate = () => {
    setLocating(true)
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        setLocating(false)
        setError(null)
        setLatitude(Number(coords.latitude.toFixed(6)))
        setLongitude(Number(coords.longitude.toFixed(6)))
      },
      () => {
        setLocating(false)
        setError('O navegador não informou a localização. Permita o acesso a ela ou cole um link do mapa.')
      },
      { timeout: 10_000 },
    )
  }
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (!place) return setError(noPoint)
    onSend({
      ...place,
      ...(name.trim() && { name: name.trim() }),
      ...(address.trim() && { address: address.trim() }),
    })
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={<Text fw={600}>Enviar localização</Text>}
      closeButtonProps={{ 'aria-label': 'Fechar' }}
    >
      <form onSubmit={handleSubmit}>
        <TextInput
          data-autofocus
          label="Link do mapa ou coordenadas"
          description="Google Maps, OpenStreetMap ou latitude e longitude."
          placeholder="-23.55052, -46.63331"
          value={link}
          error={error}
          onChange={(event) => handleLink(event.currentTarget.value)}
        />
        <Button
          mt="xs"
          variant="subtle"
          size="compact-sm"
          leftSection={<IconCurrentLocation size={17} aria-hidden />}
          loading={isLocating}
          onClick={handleLocate}
        >
          Usar onde estou
        </Button>
        <Group grow mt="sm" align="flex-start">
          <NumberInput
            label="Latitude"
            min={-90}
            max={90}
            step={0.001}
            decimalScale={6}
            decimalSeparator=","
            value={latitude}
            onChange={setLatitude}
          />
          <NumberInput
            label="Longitude"
            min={-180}
            max={180}
            step={0.001}
            decimalScale={6}
            decimalSeparator=","
            value={longitude}
            onChange={setLongitude}
          />
        </Group>
        <TextInput
          mt="sm"
          label="Nome do lugar"
          description="Opcional."
          maxLength={200}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <TextInput
          mt="sm"
          label="Endereço"
          description="Opcional."
          maxLength={500}
          value={address}
          onChange={(event) => setAddress(event.currentTarget.value)}
        />
        {place && (
          <Text size="sm" mt="md" component="p">
            <IconMapPin size={16} aria-hidden />{' '}
            <Anchor
              href={`https://www.google.com/maps/search/?api=1&query=${place.latitude},${place.longitude}`}
              target="_blank"
              rel="noopener noreferrer"
            >
              Conferir no mapa <IconExternalLink size={13} aria-hidden />
            </Anchor>
          </Text>
        )}
        <Group justify="flex-end" gap="xs" mt="lg">
          <Button variant="default" onClick={onClose}>
            Cancelar
          </Button>
          <Button type="submit" disabled={!place}>
            Enviar
          </Button>
        </Group>
      </form>
    </Modal>
  )
}

const noPoint = 'Este link não traz o ponto. Abra o mapa, copie o link completo ou informe as coordenadas.'
