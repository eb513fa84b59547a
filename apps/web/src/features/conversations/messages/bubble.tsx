import { type Message, type MessagePayload, statusRank } from '@balcao/contract/conversations/messages.ts'
import type { Media } from '@balcao/contract/core/media.ts'
import { Button } from '@mantine/core'
import {
  IconArrowForwardUp,
  IconBan,
  IconChevronDown,
  IconExternalLink,
  IconLock,
  IconMapPin,
  IconMessagePlus,
  IconStarFilled,
  IconUser,
} from '@tabler/icons-react'
import { type MouseEvent, useContext } from 'react'
import { formatExact, formatTime } from '../../../kit/format.ts'
import { UserText } from '../../../ui/user-text.tsx'
import { MediaView } from '../../core/media/media-view.tsx'
import { CalledText } from '../mentions/called-text.tsx'
import { NoteText } from '../mentions/note-text.tsx'
import { AlbumProblems, AlbumView } from './album-view.tsx'
import type { Allowed } from './allowed.ts'
import { FormView, OrderView } from './answers-view.tsx'
import classes from './bubble.module.css'
import { BubbleTools } from './bubble-tools.tsx'
import { CustomerName } from './customer-name.ts'
import { EditHistory } from './edit-history.tsx'
import { InteractiveView } from './interactive-view.tsx'
import { InvitationCard } from './invitation-card.tsx'
import { LongText } from './long-text.tsx'
import { MailView } from './mail-view.tsx'
import { endsBatch } from './outbox.ts'
import { isHeld, type Outgoing } from './outbox-state.ts'
import { OutgoingFile } from './outgoing-file.tsx'
import { PollView } from './poll-view.tsx'
import { previewText, unsigned } from './preview.ts'
import { ProblemLine, problemOf } from './problem-line.tsx'
import { Reactions } from './reactions.tsx'
import { type ChatRow, sideOf } from './rows.ts'
import { TemplateView } from './template-view.tsx'
import { Ticks } from './ticks.tsx'
import { TranscriptLine } from './transcript-line.tsx'
import { UndoLine } from './undo-line.tsx'
import { useLongPress } from './use-long-press.ts'
import { WaitingLine } from './waiting-line.tsx'

export type BubbleActions = {
  /** Left out where a conversation is only read. */
  onMenu?: (message: Message, anchor: HTMLElement) => void
  onOpenMedia: (media: Media) => void
  onBroken: () => void
  onJump: (messageId: string) => void
  onResend: (message: Message) => void
  onRetry: (outgoing: Outgoing) => void
  onWithdraw: (outgoing: Outgoing) => void
  onForce: (outgoing: Outgoing) => void
  onStartChat: (card: Message['contacts'][number]) => void
  /** In a group: writes to a member alone. */
  onTalkTo?: (contactId: string) => void
  /** What one click beside the bubble may do; nothing where a conversation is only read. */
  allowedOn?: (message: Message) => Allowed
  onReply?: (message: Message) => void
  onFetchFile?: (message: Message) => void
  /** Asks for what is said in an audio, in writing. */
  onTranscribe?: (message: Message) => void
  onReact?: (message: Message, emoji: string) => void
}
type Props = { row: ChatRow; outgoing?: Outgoing; isMine: boolean; isStarred?: boolean; actions: BubbleActions }

/** One message: theirs on the surface, ours on the accent, notes on blue. */
export const Bubble = ({ row, outgoing, isMine, isStarred, actions }: Props) => {
  const { message, album, isFirst, isLast } = row
  const customer = useContext(CustomerName)
  const side = sideOf(message)
  const problem = album || (outgoing?.state === 'held' && !endsBatch(outgoing)) ? null : problemOf(message, outgoing)
  const isWaiting = outgoing !== undefined && isHeld(outgoing)
  const isEdited = message.editedAt !== null && !message.isDeleted
  const reactions = (album ?? [message]).flatMap((one) => one.reactions)
  const showsFoot =
    isLast || isStarred || isEdited || message.isForwarded || problem !== null || isWaiting || reactions.length > 0
  const status = album
    ? leastOf(album)
    : outgoing?.state === 'failed' || outgoing?.state === 'held'
      ? 'failed'
      : message.status
  const { body, isSigned } = unsigned(message)
  const team = side === 'ours' && (isSigned || !isMine) ? message.user?.name : null
  // In a group, and where an assistant or a flow wrote, the conversation does not say who it was.
  const other = message.author?.kind === 'rule' ? null : message.author?.name
  const author = isFirst && side !== 'note' ? (team ?? other) : null
  const member = message.author?.kind === 'contact' && side === 'theirs' ? message.author.id : null
  const { onTalkTo } = actions
  const hasMenu = !album && !message.isDeleted && !outgoing && actions.onMenu !== undefined
  const longPress = useLongPress((bubble) => hasMenu && actions.onMenu?.(message, bubble))
  const handleMenu = (event: MouseEvent<HTMLElement>) => actions.onMenu?.(message, event.currentTarget)

  return (
    <div className={classes.line} data-side={side} data-last={isLast || problem !== null}>
      <div className={classes.column}>
        <div
          className={classes.bubble}
          data-side={side}
          data-kind={album ? 'image' : message.isDeleted ? undefined : message.type}
          data-problem={problem?.tone}
          id={album ? undefined : `m-${message.id}`}
          {...longPress}
        >
          {side === 'note' && isFirst && (
            <span className={classes.noteMark}>
              <IconLock size={13} aria-hidden /> Nota interna{message.user && ` de ${message.user.name}`}
            </span>
          )}
          {author && member && onTalkTo ? (
            <button
              type="button"
              className={classes.author}
              title={`Conversar com ${author} em particular`}
              onClick={() => onTalkTo(member)}
            >
              {author}
            </button>
          ) : (
            author && <span className={classes.author}>{author}</span>
          )}
          {message.quoted && (
            <button
              type="button"
              className={classes.quoted}
              onClick={() => message.quoted && actions.onJump(message.quoted.id)}
            >
              <span className={classes.quotedWho}>
                {message.quoted.fromMe ? 'Nós' : (message.quoted.authorName ?? customer)}
              </span>
              <span className="truncate">{previewText(message.quoted)}</span>
            </button>
          )}
          {album ? (
            <AlbumView album={album} actions={actions} />
          ) : message.isDeleted ? (
            <span className={classes.deleted}>
              <IconBan size={15} aria-hidden /> Mensagem apagada
            </span>
          ) : (
            <Content
              message={message}
              isOfMailAbove={row.isOfMailAbove}
              outgoing={outgoing}
              body={body}
              actions={actions}
            />
          )}
          {hasMenu && (
            <button type="button" className={classes.menu} aria-label="Ações da mensagem" onClick={handleMenu}>
              <IconChevronDown size={16} aria-hidden />
            </button>
          )}
          {reactions.length > 0 && <Reactions reactions={reactions} />}
        </div>
        {showsFoot && (
          <span className={classes.foot}>
            {message.isForwarded && !message.isDeleted && (
              <IconArrowForwardUp size={14} role="img" aria-label="Encaminhada" />
            )}
            {isStarred && <IconStarFilled size={12} className={classes.star} role="img" aria-label="Com estrela" />}
            {isEdited && <EditHistory message={message} />}
            <time dateTime={message.timestamp} title={formatExact(message.timestamp)} className="tabular">
              {formatTime(message.timestamp)}
            </time>
            {side === 'ours' && <Ticks status={status} />}
          </span>
        )}
        {outgoing?.state === 'undoable' && endsBatch(outgoing) && (
          <UndoLine sendAt={outgoing.sendAt} onUndo={() => actions.onWithdraw(outgoing)} />
        )}
        {outgoing && isWaiting && <WaitingLine outgoing={outgoing} onWithdraw={() => actions.onWithdraw(outgoing)} />}
        {album ? (
          <AlbumProblems album={album} actions={actions} />
        ) : (
          problem && <ProblemLine problem={problem} message={message} outgoing={outgoing} actions={actions} />
        )}
      </div>
      {(hasMenu || (album && !outgoing)) && <BubbleTools message={message} actions={actions} />}
    </div>
  )
}

/** What still has to happen of the whole: the ticks of the one that is furthest behind. */
const leastOf = (album: readonly Message[]) =>
  album.reduce(
    (least, { status }) => (statusRank[status] < statusRank[least] ? status : least),
    album[0]?.status ?? 'sent',
  )

type ContentProps = Pick<ChatRow, 'message' | 'isOfMailAbove'> & {
  outgoing: Outgoing | undefined
  body: string
  actions: BubbleActions
}
const Content = ({ message, isOfMailAbove, outgoing, body, actions }: ContentProps) => (
  <>
    {message.payload?.mail && !isOfMailAbove && <MailHead mail={message.payload.mail} />}
    {message.payload?.mail?.invitation && <InvitationCard invitation={message.payload.mail.invitation} />}
    {outgoing?.file && !message.media ? (
      <OutgoingFile outgoing={outgoing} file={outgoing.file} onOpen={actions.onOpenMedia} />
    ) : (
      (message.media || message.mediaState !== 'none') && (
        <MediaView
          message={message}
          onOpen={actions.onOpenMedia}
          onBroken={actions.onBroken}
          onFetch={actions.onFetchFile && (() => actions.onFetchFile?.(message))}
        />
      )
    )}
    {message.payload?.story && <StoryLine story={message.payload.story} />}
    {message.payload?.referral && <ReferralLine referral={message.payload.referral} />}
    {message.payload?.product && (
      <span className={classes.story}>Sobre o produto {message.payload.product.id} do catálogo</span>
    )}
    {message.payload?.comment && <CommentLine url={message.payload.comment.url} />}
    {message.location && <Place location={message.location} />}
    {message.contacts.map((card) => (
      <ContactCard key={`${card.name}-${card.phones[0] ?? ''}`} card={card} onStart={() => actions.onStartChat(card)} />
    ))}
    {message.type === 'unsupported' && !message.body && (
      <span className={classes.deleted}>Esta mensagem não pode ser mostrada aqui. Veja no aplicativo do canal.</span>
    )}
    {message.payload?.template && (
      <TemplateView shape={message.payload.template.shape} use={message.payload.template} />
    )}
    {message.payload?.form && <FormView answers={message.payload.form} />}
    {message.payload?.order && <OrderView order={message.payload.order} messageId={message.id} />}
    {message.payload?.interactive &&
      (message.type === 'poll' ? (
        <PollView interactive={message.payload.interactive} question={body} votes={message.votes} />
      ) : (
        <InteractiveView interactive={message.payload.interactive} body={body} />
      ))}
    {message.type === 'audio' && <TranscriptLine message={message} onTranscribe={actions.onTranscribe} />}
    {body &&
      !message.payload?.template &&
      !message.payload?.interactive &&
      !message.payload?.form &&
      !message.payload?.order &&
      (message.payload?.mentions ? (
        <NoteText text={body} mentions={message.payload.mentions} className={classes.text} />
      ) : message.payload?.called ? (
        <CalledText
          text={body}
          called={message.payload.called.map(({ name, isUs }) => ({ name, isMe: isUs }))}
          className={classes.text}
        />
      ) : message.payload?.mail ? (
        <MailView key={message.id} message={message} body={body} className={classes.text} />
      ) : (
        <LongText key={message.id} text={body} className={classes.text} />
      ))}
    {message.payload?.signature && <UserText text={message.payload.signature} className={classes.signature} />}
  </>
)

/** What of a story the message speaks of. */
const StoryLine = ({ story: { kind, url } }: { story: NonNullable<MessagePayload['story']> }) => (
  <span className={classes.story}>
    {kind === 'reply' ? 'Respondeu ao seu story' : 'Mencionou você no story'}
    {url && (
      <a href={url} target="_blank" rel="noopener noreferrer" title="O endereço abre enquanto o story existir.">
        Ver story
      </a>
    )}
  </span>
)

/** What brought the customer here. */
const ReferralLine = ({ referral: { kind, title, body, url } }: { referral: Referral }) => (
  <span className={classes.story} title={body || undefined}>
    {kind === 'ad' ? 'Veio de um anúncio' : 'Veio de uma publicação'}
    {title && `: ${title}`}
    {url && (
      <a href={url} target="_blank" rel="noopener noreferrer">
        {kind === 'ad' ? 'Ver anúncio' : 'Ver publicação'}
      </a>
    )}
  </span>
)
type Referral = NonNullable<MessagePayload['referral']>

/** It was said in public; what is answered is not. */
const CommentLine = ({ url }: { url: string | null }) => (
  <span className={classes.story}>
    Comentou em uma publicação
    {url && (
      <a href={url} target="_blank" rel="noopener noreferrer">
        Ver publicação
      </a>
    )}
  </span>
)

/** What a mail says above its text; a copy goes to whoever stands there. */
const MailHead = ({
  mail: { subject, cc, bcc, wasJunk, isUnproven, isAutomatic },
}: {
  mail: NonNullable<NonNullable<Message['payload']>['mail']>
}) => (
  <div className={classes.mailHead}>
    {wasJunk && (
      <span
        className={classes.junk}
        title="O provedor desconfiou deste e-mail. Confira quem escreve antes de abrir links ou anexos."
      >
        Estava no spam
      </span>
    )}
    {isUnproven && (
      <span
        className={classes.junk}
        title="O servidor que recebeu este e-mail não confirmou que ele veio deste endereço. Confira por outro caminho antes de abrir links, anexos ou passar dados."
      >
        Remetente não confirmado
      </span>
    )}
    {isAutomatic && (
      <span className={classes.copies} title="Uma máquina escreveu este e-mail: uma ausência, um aviso ou um boletim.">
        Enviado automaticamente
      </span>
    )}
    {subject && <strong>{subject}</strong>}
    {cc.length > 0 && (
      <span className={classes.copies} title={cc.join(', ')}>
        Com cópia para {cc.slice(0, 3).join(', ')}
        {cc.length > 3 && ` e mais ${cc.length - 3}`}
      </span>
    )}
    {bcc.length > 0 && (
      <span className={classes.copies} title={bcc.join(', ')}>
        Com cópia oculta para {bcc.slice(0, 3).join(', ')}
        {bcc.length > 3 && ` e mais ${bcc.length - 3}`}
      </span>
    )}
  </div>
)

const Place = ({
  location: { latitude, longitude, name, address },
}: {
  location: NonNullable<Message['location']>
}) => (
  <a
    className={classes.place}
    href={`https://www.google.com/maps/search/?api=1&query=${latitude},${longitude}`}
    target="_blank"
    rel="noopener noreferrer"
  >
    <span className={classes.map} aria-hidden>
      <IconMapPin size={26} stroke={1.75} />
    </span>
    <span className={classes.placeWords}>
      <strong className="truncate">{name || 'Localização'}</strong>
      <span>{address || `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`}</span>
      <span className={classes.link}>
        Abrir no mapa <IconExternalLink size={13} aria-hidden />
      </span>
    </span>
  </a>
)

const ContactCard = ({ card, onStart }: { card: Message['contacts'][number]; onStart: () => void }) => (
  <span className={classes.card}>
    <span className={classes.cardTop}>
      <span className={classes.cardIcon} aria-hidden>
        <IconUser size={20} stroke={1.75} />
      </span>
      <span className={classes.cardWords}>
        <strong className="truncate">{card.name}</strong>
        {[...card.phones, ...card.emails].slice(0, 3).map((line) => (
          <span key={line} className="truncate tabular">
            {line}
          </span>
        ))}
      </span>
    </span>
    {card.phones.length > 0 && (
      <Button
        size="compact-sm"
        variant="default"
        fullWidth
        leftSection={<IconMessagePlus size={15} aria-hidden />}
        onClick={onStart}
      >
        Conversar
      </Button>
    )}
  </span>
)
