import { useState } from 'preact/hooks'
import type { Media } from '../api.ts'
import { safeUrl } from '../files.ts'
import { formatBytes } from '../format.ts'
import type { ThreadMessage } from '../thread.ts'
import { Icon } from './icons.tsx'

type Props = { message: ThreadMessage; media: Media; onOpenPicture: (media: Media) => void }

export const MessageMedia = ({ message, media, onOpenPicture }: Props) => {
  const [isBroken, setBroken] = useState(false)
  const src = safeUrl(media.url)
  if (!src) return null
  const fail = (): void => setBroken(true)
  if (isBroken || message.type === 'document') return <FileCard media={media} src={src} />
  if (message.type === 'image') {
    return (
      <button
        type="button"
        class="picture-button"
        aria-label={`Ver imagem ${media.name}`}
        onClick={() => onOpenPicture(media)}
      >
        <img
          src={src}
          alt={message.text || media.name}
          loading="lazy"
          style={{ aspectRatio: aspectOf(media) }}
          onError={fail}
        />
      </button>
    )
  }
  // biome-ignore-start lint/a11y/useMediaCaption: people send these to each other; there are no captions to show
  if (message.type === 'audio') {
    return <audio class="audio" controls preload="metadata" src={src} aria-label="Mensagem de áudio" onError={fail} />
  }
  if (message.type === 'video') {
    return (
      <video
        class="video"
        controls
        playsInline
        preload="metadata"
        src={src}
        aria-label={`Vídeo ${media.name}`}
        style={{ aspectRatio: aspectOf(media) }}
        onError={fail}
      />
    )
  }
  // biome-ignore-end lint/a11y/useMediaCaption: see above
  return <FileCard media={media} src={src} />
}

const FileCard = ({ media, src }: { media: Media; src: string }) => (
  <a class="file" href={src} download={media.name} target="_blank" rel="noopener">
    <Icon name="file" size={24} />
    <span class="file-text">
      <span class="file-name">{media.name}</span>
      <span class="file-size">{formatBytes(media.size)}</span>
    </span>
    <Icon name="download" size={18} />
  </a>
)

/** Reserved before the file arrives, so that nothing jumps; without measures a calm default. */
const aspectOf = ({ width, height }: Media): string => (width && height ? `${width} / ${height}` : '4 / 3')
