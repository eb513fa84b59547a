import { Anchor, Button, Group, Text } from '@mantine/core'
import { IconExternalLink, IconMapPin, IconMapPinOff } from '@tabler/icons-react'
import { searchUrl } from './as-message.ts'

type Props = {
  latitude: number | null
  longitude: number | null
  /** What follows when there is no point. */
  without: string
  onClear: () => void
}

/** The point of a place, to be checked on a map before it goes to anybody. */
export const PointLine = ({ latitude, longitude, without, onClear }: Props) =>
  latitude === null || longitude === null ? (
    <Text size="sm" c="dimmed" mt="sm">
      <IconMapPinOff size={16} aria-hidden style={{ verticalAlign: '-3px' }} /> {without}
    </Text>
  ) : (
    <Group gap="xs" mt="sm">
      <Text size="sm">
        <IconMapPin size={16} aria-hidden style={{ verticalAlign: '-3px' }} />{' '}
        <Anchor href={searchUrl(`${latitude},${longitude}`)} target="_blank" rel="noopener noreferrer">
          Conferir no mapa <IconExternalLink size={13} aria-hidden />
        </Anchor>
      </Text>
      <Button variant="subtle" color="gray" size="compact-xs" onClick={onClear}>
        Tirar o ponto
      </Button>
    </Group>
  )
