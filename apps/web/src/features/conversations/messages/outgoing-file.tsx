import type { Media } from '@balcao/contract/core/media.ts'
import { MediaView } from '../../core/media/media-view.tsx'
import type { Outgoing } from './outbox-state.ts'
import { useUpload } from './uploads.ts'

type Props = {
  outgoing: Outgoing
  file: NonNullable<Outgoing['file']>
  onOpen: (media: Media) => void
  fills?: boolean
}

/** The file of a message that has not left, as it is on this device. */
export const OutgoingFile = ({ outgoing, file, onOpen, fills }: Props) => {
  const { localUrl } = useUpload(file.id)
  const { id, name, size, kind } = file
  const media: Media = {
    id,
    name,
    size,
    kind,
    mime: '',
    width: null,
    height: null,
    durationMs: null,
    url: localUrl ?? '',
    thumbUrl: null,
  }
  return (
    <MediaView
      message={{ type: outgoing.message.type, media, mediaState: 'ready' }}
      onOpen={onOpen}
      onBroken={() => undefined}
      fills={fills}
    />
  )
}
