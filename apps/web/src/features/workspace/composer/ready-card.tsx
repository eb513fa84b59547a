import { partLabels } from '@balcao/contract/conversations/parts.ts'
import { CloseButton } from '@mantine/core'
import { IconAlertTriangle, IconBolt } from '@tabler/icons-react'
import { type GoingPart, makeReady, type Ready, withoutPart } from '../../conversations/messages/ready.ts'
import { icons } from '../../conversations/parts/part-icons.ts'
import classes from './ready-card.module.css'

type Props = { placeId: string; ready: Ready; going: readonly GoingPart[] }

/** A quick message about to be sent, part by part, with what its channel makes of each. */
export const ReadyCard = ({ placeId, ready, going }: Props) => (
  <section className={classes.card} aria-label={`Mensagem rápida /${ready.key}`}>
    <header className={classes.head}>
      <IconBolt size={16} stroke={1.75} aria-hidden />
      <strong className="truncate">/{ready.key}</strong>
      <span className={classes.count}>
        {going.length === 1 ? '1 mensagem' : `${going.length} mensagens, nesta ordem`}
      </span>
      <CloseButton aria-label={`Não enviar /${ready.key}`} onClick={() => makeReady(placeId, null)} />
    </header>
    <ol className={classes.parts}>
      {going.map(({ part, type, body, note, problem }, at) => {
        const Icon = icons[part.kind]
        const said = problem ?? note
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a part has no name but its place
          <li key={at} className={classes.part} data-out={type === null}>
            {part.media?.thumbUrl ? (
              <img className={classes.picture} src={part.media.thumbUrl} alt="" />
            ) : (
              <Icon size={17} stroke={1.75} aria-label={partLabels[part.kind]} />
            )}
            <span className={classes.words}>
              <span className="truncate">{[part.media?.name, body].filter(Boolean).join(' · ')}</span>
              {part.interactive && (
                <span className={`${classes.options} truncate`}>
                  {part.interactive.options.map(({ title }) => title).join(' · ')}
                </span>
              )}
              {said && (
                <span className={classes.note} data-bad={type === null || problem !== null} role="status">
                  {(type === null || problem) && <IconAlertTriangle size={14} aria-hidden />}
                  {type === null ? `${said} Esta parte não vai.` : said}
                </span>
              )}
            </span>
            {going.length > 1 && (
              <CloseButton
                size="sm"
                aria-label={`Não enviar a parte ${at + 1}`}
                onClick={() => withoutPart(placeId, at)}
              />
            )}
          </li>
        )
      })}
    </ol>
  </section>
)
