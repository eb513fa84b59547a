import { Button, Group, Loader, TextInput, VisuallyHidden } from '@mantine/core'
import { IconCurrentLocation } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '../../../kit/api-error.ts'
import { addressOf, cepIn, cepQuery } from './api.ts'
import { parsePlace } from './parse-place.ts'

export type Found = { latitude: number | null; longitude: number | null; address?: string }
type Props = { isFirst?: boolean; onFound: (found: Found) => void }

/** Where a place is: a CEP, a pasted link of a map, coordinates, or where this device is. */
export const PlaceSearch = ({ isFirst, onFound }: Props) => {
  const cache = useQueryClient()
  const [text, setText] = useState('')
  const [error, setError] = useState<string | null>(null)
  const [busy, setBusy] = useState<'cep' | 'device' | null>(null)

  const lookUp = async (cep: string) => {
    setBusy('cep')
    try {
      const address = await cache.fetchQuery(cepQuery(cep))
      onFound({ latitude: address.latitude, longitude: address.longitude, address: addressOf(address) })
    } catch (cause) {
      setError(messageOf(cause))
    } finally {
      setBusy(null)
    }
  }
  const handleText = (next: string) => {
    setText(next)
    setError(null)
    const cep = cepIn(next)
    if (cep) return void lookUp(cep)
    const point = parsePlace(next)
    if (point) onFound(point)
    else if (/^https?:/i.test(next.trim())) setError(noPoint)
  }
  const handleDevice = () => {
    setBusy('device')
    setError(null)
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        setBusy(null)
        onFound({ latitude: Number(coords.latitude.toFixed(6)), longitude: Number(coords.longitude.toFixed(6)) })
      },
      () => {
        setBusy(null)
        setError('O navegador não informou a localização. Permita o acesso a ela, ou use o CEP ou um link do mapa.')
      },
      { timeout: 10_000 },
    )
  }
  return (
    <>
      <TextInput
        data-autofocus={isFirst || undefined}
        label="CEP, link do mapa ou coordenadas"
        description="Links do Google Maps e do OpenStreetMap."
        placeholder="01001-000"
        value={text}
        error={error}
        rightSection={busy === 'cep' ? <Loader size={16} aria-label="Buscando o endereço" /> : null}
        onChange={(event) => handleText(event.currentTarget.value)}
      />
      <Group mt={6} gap="xs">
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconCurrentLocation size={17} aria-hidden />}
          loading={busy === 'device'}
          onClick={handleDevice}
        >
          Usar onde estou
        </Button>
      </Group>
      <VisuallyHidden role="status">{busy === 'cep' ? 'Buscando o endereço…' : ''}</VisuallyHidden>
    </>
  )
}

const noPoint = 'Este link não traz o ponto. Abra o mapa e copie o link completo, ou use o CEP.'
