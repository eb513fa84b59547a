import { Button, CloseButton, Progress, TextInput } from '@mantine/core'
import { IconAlertTriangle, IconCloudOff, IconFile, IconMusic } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { formatBytes } from '../../../kit/format.ts'
import type { Abilities } from '../../conversations/messages/abilities.ts'
import { detach, type TrayItem, writeCaption } from '../../conversations/messages/tray.ts'
import { type Upload, upload, useUpload } from '../../conversations/messages/uploads.ts'
import classes from './attachment-tray.module.css'
import { problemOf, typeOf } from './sendable.ts'

type Props = { placeId: string; item: TrayItem; abilities: Abilities; children?: ReactNode }

/** One of them: how it looks, how far it is, what is written under it. */
export const AttachmentCard = ({ placeId, item, abilities, children }: Props) => {
  const now = useUpload(item.id)
  const problem = problemOf(item, now, abilities)
  const type = typeOf(item, now, abilities)
  const card = useRef<HTMLDivElement>(null)
  // It keeps all of them from being sent: whoever has many sees which one.
  useEffect(() => {
    if (problem) card.current?.scrollIntoView({ block: 'nearest' })
  }, [problem])
  const takesCaption = !problem && type !== null && type !== 'audio'
  return (
    <div ref={card} className={classes.item} data-bad={problem !== null} data-staying={type === null}>
      {children}
      <Picture item={item} now={now} />
      <span className={classes.words}>
        <span className={classes.name}>
          <span className="truncate" title={item.name}>
            {item.name}
          </span>
          <span className={`${classes.size} tabular`}>{formatBytes(item.size)}</span>
        </span>
        {problem && (
          <span className={classes.problem} role="alert">
            {problem}{' '}
            {!now.isRefused && (
              <Button size="compact-xs" variant="subtle" onClick={() => void upload(item.id)}>
                Tentar de novo
              </Button>
            )}
          </span>
        )}
        {type === null && (
          <span className={classes.waiting}>Não vai por {abilities.channel?.label ?? 'este canal'}.</span>
        )}
        {takesCaption && (
          <TextInput
            size="xs"
            variant="unstyled"
            placeholder="Legenda"
            aria-label={`Legenda de ${item.name}`}
            maxLength={1_024}
            lang="pt-BR"
            spellCheck
            value={item.caption}
            onChange={(event) => writeCaption(placeId, item.id, event.currentTarget.value)}
          />
        )}
        {now.isOffline ? (
          <span className={classes.waiting} role="status">
            <IconCloudOff size={14} aria-hidden /> Aguardando conexão.
          </span>
        ) : (
          !problem &&
          !now.media && (
            <Progress value={Math.max(4, now.progress * 100)} size="sm" aria-label={`Envio de ${item.name}`} />
          )
        )}
        {now.isLoose && !now.media && (
          <span className={classes.waiting} role="status">
            <IconAlertTriangle size={14} aria-hidden /> Sem espaço para guardar: não feche a página.
          </span>
        )}
      </span>
      <CloseButton
        aria-label={now.media || problem ? `Remover ${item.name}` : `Cancelar envio de ${item.name}`}
        onClick={() => detach(placeId, item.id)}
      />
    </div>
  )
}

const Picture = ({ item, now: { localUrl, media } }: { item: TrayItem; now: Upload }) => {
  const kind = media?.kind ?? item.kind
  const url = localUrl ?? media?.thumbUrl
  return (
    <span className={classes.picture}>
      {localUrl && kind === 'video' ? (
        <video src={localUrl} muted preload="metadata" />
      ) : url && (kind === 'image' || kind === 'video') ? (
        <img src={url} alt="" draggable={false} />
      ) : kind === 'audio' ? (
        <IconMusic size={22} stroke={1.6} aria-hidden />
      ) : (
        <IconFile size={22} stroke={1.6} aria-hidden />
      )}
    </span>
  )
}
