import { useRef } from 'preact/hooks'
import type { Media } from '../api.ts'
import { safeUrl } from '../files.ts'
import { formatBytes } from '../format.ts'
import type { ThreadMessage } from '../thread.ts'
import { say } from '../words.ts'
import { Icon } from './icons.tsx'
import { openRenewed, type Renew, useRenewal } from './renewal.ts'

type Props = { message: ThreadMessage; media: Media; renew: Renew; onOpenPicture: () => void }

export const MessageMedia = ({ message, media, renew, onOpenPicture }: Props) => {
  const { isBroken, fail } = useRenewal(media.url, renew)
  const stopped = useRef<{ atS: number; wasPlaying: boolean }>(undefined)
  const src = safeUrl(media.url)
  if (!src) return null
  if (isBroken || message.type === 'document') return <FileCard media={media} src={src} renew={renew} />
  /** Goes on where the old address ended. */
  const player = {
    onError: ({ currentTarget: { currentTime, paused } }: { currentTarget: HTMLMediaElement }) => {
      stopped.current = { atS: currentTime, wasPlaying: !paused }
      void fail()
    },
    onLoadedMetadata: ({ currentTarget }: { currentTarget: HTMLMediaElement }) => {
      const { atS, wasPlaying } = stopped.current ?? { atS: 0, wasPlaying: false }
      stopped.current = undefined
      if (atS) currentTarget.currentTime = atS
      if (wasPlaying) void currentTarget.play().catch(() => undefined)
    },
  }
  if (message.type === 'image') {
    return (
      <button
        type="button"
        class="picture-button"
        aria-label={say('viewPicture', { name: media.name })}
        onClick={onOpenPicture}
      >
        <img
          src={src}
          alt={message.text || media.name}
          loading="lazy"
          style={{ aspectRatio: aspectOf(media) }}
          onError={() => void fail()}
        />
      </button>
    )
  }
  // biome-ignore-start lint/a11y/useMediaCaption: people send these to each other; there are no captions to show
  if (message.type === 'audio') {
    return <audio class="audio" controls preload="metadata" src={src} aria-label={say('audioMessage')} {...player} />
  }
  if (message.type === 'video') {
    return (
      <video
        class="video"
        controls
        playsInline
        preload="metadata"
        src={src}
        aria-label={say('videoNamed', { name: media.name })}
        style={{ aspectRatio: aspectOf(media) }}
        {...player}
      />
    )
  }
  // biome-ignore-end lint/a11y/useMediaCaption: see above
  return <FileCard media={media} src={src} renew={renew} />
}

const FileCard = ({ media, src, renew }: { media: Media; src: string; renew: Renew }) => (
  <a
    class="file"
    href={src}
    download={media.name}
    target="_blank"
    rel="noopener"
    onClick={(event) => openRenewed(event, renew)}
  >
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
