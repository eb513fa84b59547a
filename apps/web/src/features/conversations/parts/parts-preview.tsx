import { carriedAs, numberedText } from '@balcao/contract/conversations/interactive.ts'
import { partWay, type ShownPart } from '@balcao/contract/conversations/parts.ts'
import { fillVariables, type VariableContext } from '@balcao/contract/variables.ts'
import { IconAlertTriangle, IconFile, IconInfoCircle, IconMicrophone, IconVideo } from '@tabler/icons-react'
import { UserText } from '../../../ui/user-text.tsx'
import type { Channel } from '../messages/abilities.ts'
import { InteractiveView } from '../messages/interactive-view.tsx'
import classes from './parts-preview.module.css'

type Props = {
  parts: readonly ShownPart[]
  /** What the variables stand for; left out, the texts are as written. */
  context?: VariableContext
  /** As this channel carries them, with what it changes; left out, as they are. */
  channel?: Channel
}

/** The messages of an answer as the customer will see them, one under the other. */
export const PartsPreview = ({ parts, context, channel }: Props) => (
  <ol className={classes.list} aria-label="Prévia">
    {parts.map((one, at) => {
      const way = channel && partWay(channel, one, one.media)
      return (
        // biome-ignore lint/suspicious/noArrayIndexKey: a part has no name but its place
        <li key={at}>
          <div className={classes.bubble} data-refused={way?.type === null}>
            <Shown part={{ ...one, body: context ? fillVariables(one.body, context) : one.body }} channel={channel} />
          </div>
          {way?.note && (
            <p className={classes.note} data-refused={way.type === null}>
              {way.type === null ? (
                <IconAlertTriangle size={14} aria-hidden />
              ) : (
                <IconInfoCircle size={14} aria-hidden />
              )}
              {way.note}
            </p>
          )}
        </li>
      )
    })}
  </ol>
)

const Shown = ({ part, channel }: { part: ShownPart; channel: Channel | undefined }) => {
  const { kind, body, media, interactive } = part
  if (kind === 'choices' && interactive) {
    const options = interactive.options.filter(({ title }) => title.trim())
    const filled = { ...interactive, options }
    const way = channel && options.length ? carriedAs(channel, filled, body) : interactive.kind
    if (way === 'text') return <UserText text={numberedText(filled, body)} />
    return <InteractiveView interactive={{ ...filled, kind: way }} body={body || 'Sua mensagem aparece aqui.'} />
  }
  return (
    <>
      {(kind === 'file' || kind === 'voice') && <FileFace part={part} />}
      {body ? (
        <UserText text={body} />
      ) : (
        !media && kind === 'text' && <span className={classes.empty}>Texto vazio</span>
      )}
    </>
  )
}

const FileFace = ({ part: { kind, media } }: { part: ShownPart }) => {
  const picture = media && (media.thumbUrl ?? (media.kind === 'image' ? media.url : null))
  if (picture && kind === 'file') return <img className={classes.picture} src={picture} alt={media.name} />
  const Icon =
    kind === 'voice' || media?.kind === 'audio' ? IconMicrophone : media?.kind === 'video' ? IconVideo : IconFile
  return (
    <span className={classes.file}>
      <Icon size={18} stroke={1.75} aria-hidden />
      <span className="truncate">{media?.name ?? (kind === 'voice' ? 'Sem áudio' : 'Sem arquivo')}</span>
    </span>
  )
}
