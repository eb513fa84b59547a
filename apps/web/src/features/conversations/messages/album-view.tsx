import type { Message } from '@balcao/contract/conversations/messages.ts'
import { IconAlertCircle, IconBan, IconChevronDown } from '@tabler/icons-react'
import { MediaView } from '../../core/media/media-view.tsx'
import classes from './album-view.module.css'
import bubble from './bubble.module.css'
import type { BubbleActions } from './bubble.tsx'
import { LongText } from './long-text.tsx'
import { endsBatch } from './outbox.ts'
import { useOutgoing } from './outbox-entries.ts'
import { OutgoingFile } from './outgoing-file.tsx'
import { previewText, unsigned } from './preview.ts'
import { ProblemLine, problemOf } from './problem-line.tsx'
import { useLongPress } from './use-long-press.ts'

type Props = { album: Message[]; actions: BubbleActions }

/** Pictures and films sent as one group, with the words of each below. Each keeps its own actions. */
export const AlbumView = ({ album, actions }: Props) => {
  const entries = useOutgoing()
  return (
    <>
      <ul className={classes.grid} aria-label={labelOf(album)}>
        {album.map((message) => (
          <Tile
            key={message.id}
            message={message}
            outgoing={entries.find((entry) => entry.message.id === message.id)}
            actions={actions}
          />
        ))}
      </ul>
      {album.map((message) => {
        const { body } = unsigned(message)
        return body && !message.isDeleted ? <LongText key={message.id} text={body} className={bubble.text} /> : null
      })}
    </>
  )
}

/** What of it has not gone, each by its place. */
export const AlbumProblems = ({ album, actions }: Props) => {
  const entries = useOutgoing()
  return album.map((message, at) => {
    const outgoing = entries.find((entry) => entry.message.id === message.id)
    const problem = outgoing?.state === 'held' && !endsBatch(outgoing) ? null : problemOf(message, outgoing)
    if (!problem) return null
    const text = outgoing?.state === 'held' ? problem.text : `Arquivo ${at + 1} de ${album.length}: ${problem.text}`
    return (
      <ProblemLine
        key={message.id}
        problem={{ ...problem, text }}
        message={message}
        outgoing={outgoing}
        actions={actions}
      />
    )
  })
}

type TileProps = {
  message: Message
  outgoing: ReturnType<typeof useOutgoing>[number] | undefined
  actions: BubbleActions
}
const Tile = ({ message, outgoing, actions }: TileProps) => {
  const hasMenu = !message.isDeleted && !outgoing && actions.onMenu !== undefined
  const longPress = useLongPress((tile) => hasMenu && actions.onMenu?.(message, tile))
  const problem = problemOf(message, outgoing)
  return (
    <li className={classes.tile} id={`m-${message.id}`} data-problem={problem?.tone} {...longPress}>
      {message.isDeleted ? (
        <span className={classes.deleted}>
          <IconBan size={15} aria-hidden /> Apagada
        </span>
      ) : outgoing?.file && !message.media ? (
        <OutgoingFile outgoing={outgoing} file={outgoing.file} onOpen={actions.onOpenMedia} fills />
      ) : (
        <MediaView
          message={message}
          onOpen={actions.onOpenMedia}
          onBroken={actions.onBroken}
          onFetch={actions.onFetchFile && (() => actions.onFetchFile?.(message))}
          fills
        />
      )}
      {problem && (
        <span className={classes.failed}>
          <IconAlertCircle size={18} role="img" aria-label="Não enviada" />
        </span>
      )}
      {hasMenu && (
        <button
          type="button"
          className={classes.menu}
          aria-label={`Ações: ${previewText(message)}`}
          onClick={(event) => actions.onMenu?.(message, event.currentTarget)}
        >
          <IconChevronDown size={16} aria-hidden />
        </button>
      )}
    </li>
  )
}

const labelOf = (album: readonly Message[]) => {
  const films = album.filter(({ type }) => type === 'video').length
  const pictures = album.length - films
  const parts = [
    pictures && (pictures === 1 ? '1 foto' : `${pictures} fotos`),
    films && (films === 1 ? '1 vídeo' : `${films} vídeos`),
  ]
  return `Álbum com ${parts.filter(Boolean).join(' e ')}`
}
