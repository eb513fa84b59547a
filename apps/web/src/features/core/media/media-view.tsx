import type { Message } from '@balcao/contract/conversations/messages.ts'
import type { Media } from '@balcao/contract/core/media.ts'
import { Button, Loader } from '@mantine/core'
import { IconDownload, IconFile, IconFileTypePdf, IconFileZip, IconPhotoOff, IconPlayerPlay } from '@tabler/icons-react'
import { formatBytes, formatClock } from '../../../kit/format.ts'
import { AudioPlayer } from './audio-player.tsx'
import { boxOf } from './box.ts'
import classes from './media-view.module.css'

type Props = {
  message: Pick<Message, 'type' | 'media' | 'mediaState'> & Partial<Pick<Message, 'error' | 'payload'>>
  onOpen: (media: Media) => void
  /** The signed link may have expired: ask for a new one. */
  onBroken: () => void
  /** One that could not be had is asked for once more. */
  onFetch?: () => void
  /** It takes the room it is given instead of its own. */
  fills?: boolean
}

/** The file of a message, in a box that has its size before the file is there. */
export const MediaView = ({ message, onOpen, onBroken, onFetch, fills = false }: Props) => {
  const { media, mediaState } = message
  // The file of a template, or of a story, is whatever it is.
  const type = (message.type === 'template' || message.payload?.story) && media ? media.kind : message.type
  if (!media && mediaState === 'none') return null
  if (!media) return <Absent isComing={mediaState === 'fetching'} reason={message.error} onFetch={onFetch} />
  if (type === 'sticker')
    return <img src={media.url} alt="Figurinha" className={classes.sticker} onError={onBroken} loading="lazy" />
  if (type === 'audio') return <AudioPlayer media={media} onBroken={onBroken} />
  if (type === 'image' || type === 'video') {
    const label = type === 'image' ? 'Abrir imagem' : 'Abrir vídeo'
    const picture = media.thumbUrl ?? (type === 'image' ? media.url : null)
    return (
      <button
        type="button"
        className={classes.picture}
        style={fills ? undefined : boxOf(media)}
        aria-label={`${label} ${media.name}`}
        onClick={() => onOpen(media)}
      >
        {picture && <img src={picture} alt="" onError={onBroken} loading="lazy" />}
        {type === 'video' && (
          <>
            <span className={classes.play} aria-hidden>
              <IconPlayerPlay size={24} fill="currentColor" />
            </span>
            {media.durationMs !== null && (
              <span className={`${classes.length} tabular`}>{formatClock(media.durationMs / 1000)}</span>
            )}
          </>
        )}
      </button>
    )
  }
  return <FileCard media={media} />
}

const FileCard = ({ media }: { media: Media }) => {
  const Icon =
    media.mime === 'application/pdf' ? IconFileTypePdf : /zip|rar|7z/.test(media.mime) ? IconFileZip : IconFile
  return (
    <a
      className={classes.file}
      href={media.url}
      target="_blank"
      rel="noopener noreferrer"
      download={media.name}
      title={media.name}
    >
      <span className={classes.fileIcon} aria-hidden>
        <Icon size={22} stroke={1.6} />
      </span>
      <span className={classes.fileWords}>
        <span className="truncate">{media.name}</span>
        <span className={`${classes.meta} tabular`}>
          {extensionOf(media.name)} {formatBytes(media.size)}
        </span>
      </span>
      <IconDownload size={18} stroke={1.75} aria-hidden />
    </a>
  )
}

type AbsentProps = { isComing: boolean; reason?: string | null; onFetch?: () => void }
const Absent = ({ isComing, reason, onFetch }: AbsentProps) => (
  <span className={classes.absent} role="status">
    {isComing ? <Loader size={16} /> : <IconPhotoOff size={18} aria-hidden />}
    <span className={classes.absentWords}>
      {isComing ? 'Baixando o arquivo…' : (reason ?? 'Não foi possível baixar o arquivo.')}
      {!isComing && onFetch && (
        <Button size="compact-sm" variant="default" onClick={onFetch}>
          Tentar de novo
        </Button>
      )}
    </span>
  </span>
)

const extensionOf = (name: string) => {
  const extension = /\.([a-z0-9]{1,5})$/i.exec(name)?.[1]
  return extension ? `${extension.toUpperCase()} ·` : ''
}
