import type { Contact } from '@balcao/contract/contacts/contacts.ts'
import type { Message } from '@balcao/contract/conversations/messages.ts'
import { Button } from '@mantine/core'
import { IconAddressBook, IconMessages } from '@tabler/icons-react'
import { Activity, memo, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { linkToTicket, searchOfList } from '../../../features/conversations/tickets/address.ts'
import { undoLast } from '../../../features/conversations/tickets/undo.ts'
import { type ActionLetter, actionLetters } from '../../../features/workspace/inbox/action-keys.ts'
import { type ListHandle, TicketList } from '../../../features/workspace/inbox/ticket-list.tsx'
import { useTicketFilter } from '../../../features/workspace/inbox/use-filter.ts'
import { useTakeNext } from '../../../features/workspace/inbox/use-take-next.ts'
import { lazyPart, loadParts } from '../../../kit/lazy-part.ts'
import { Opened } from '../../../kit/opened.tsx'
import { PaneBoundary } from '../../../kit/pane-boundary.tsx'
import { useCurrentSession } from '../../../kit/session.ts'
import { useCan } from '../../../kit/use-can.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Shortcut } from '../../../ui/shortcut.tsx'
import { SkeletonList } from '../../../ui/skeleton-list.tsx'
import classes from './atendimento-screen.module.css'
import type { ChatHandle } from './open-chat.tsx'
import { arrivalAt } from './use-arrival.ts'
import { useCtrlKeys, useKeys } from './use-keys.ts'
import { useLastPlace } from './use-last-place.ts'

const loadChat = async () => ({ default: memo((await import('./chat.tsx')).Chat) })
const Chat = lazyPart(loadChat)
const NewConversationDialog = lazyPart(async () => ({
  default: (await import('../../../features/workspace/inbox/new-conversation-dialog.tsx')).NewConversationDialog,
}))
const TalkToContact = lazyPart(async () => ({
  default: (await import('../../../features/workspace/inbox/talk-to-contact.tsx')).TalkToContact,
}))
const ContactsPane = lazyPart(async () => ({ default: (await import('./contacts-pane.tsx')).ContactsPane }))
const MessageSearch = lazyPart(async () => ({
  default: (await import('../../../features/conversations/messages/message-search.tsx')).MessageSearch,
}))
const ShortcutsSheet = lazyPart(async () => ({
  default: (await import('../../../features/workspace/inbox/shortcuts-sheet.tsx')).ShortcutsSheet,
}))

/** The list is usable first; the conversation's code is there before the first click. */
const chatAfterMs = 400
/** The rest of what an agent may open comes while nobody waits for anything. */
const partsAfterMs = 6_000

type Starting = { contact: Contact | null; search?: string; newName?: string }

/** Where agents live: the list, the conversation, and who it is with (design.md draws it). */
export default function AtendimentoScreen() {
  const { pathname } = useLocation()
  const navigate = useNavigate()
  useLastPlace()
  const canTalk = useCan('tickets.write')
  const [filter, setFilter] = useTicketFilter()
  const [starting, setStarting] = useState<Starting | null>(null)
  const [talkingTo, setTalkingTo] = useState<string | null>(null)
  const [showsKeys, setShowsKeys] = useState(false)
  const list = useRef<ListHandle>(null)
  const chat = useRef<ChatHandle>(null)
  const canRead = useCan('messages.read')
  const [isSearching, setSearching] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => void loadChat().catch(() => undefined), chatAfterMs)
    const later = setTimeout(() => void loadParts(), partsAfterMs)
    window.addEventListener('online', loadParts)
    return () => {
      clearTimeout(timer)
      clearTimeout(later)
      window.removeEventListener('online', loadParts)
    }
  }, [])

  const pane = paneOf(pathname)
  const openId = pane.kind === 'chat' ? pane.ticketId : null
  const kept = useKept(openId)
  const arrival = useRef(arrivalAt('', false))
  const go = useCallback(
    (to: string, isStep = false) => {
      arrival.current = arrivalAt(to, isStep)
      void navigate({ pathname: `/atendimento${to && `/${to}`}`, search: searchOfList() })
      if (!isStep) chat.current?.enter(to)
    },
    [navigate],
  )
  // The same for as long as the screen lives: opening another conversation draws neither the list nor the others anew.
  const leave = useCallback(() => go(''), [go])
  const startAnew = useCallback(() => setStarting({ contact: null }), [])
  const startWith = useCallback(
    ({ name, phones }: Message['contacts'][number]) =>
      setStarting({ contact: null, search: phones[0]?.replace(/\D/g, '') ?? name, newName: name }),
    [],
  )
  const taking = useTakeNext(() => {
    const asked = arrivalAt('next', false) // what is typed from now on is for whoever comes
    arrival.current = asked
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    return {
      taken: (id) => {
        const typed = arrival.current === asked ? asked.typed : ''
        go(id)
        arrival.current.typed = typed
      },
      failed: () => {
        if (arrival.current !== asked) return
        arrival.current = arrivalAt('', false)
        chat.current?.reply()
      },
    }
  })
  const { opensNext } = useCurrentSession().user.configs
  const wantsNext = useRef(opensNext)
  useEffect(() => {
    wantsNext.current = opensNext
  })
  /** Asked before it leaves the list: there it has a neighbour. */
  const leaveTicket = useCallback(
    (id: string) => {
      const next = wantsNext.current ? list.current?.neighbour(id) : null
      return () => {
        if (next) go(next)
      }
    },
    [go],
  )
  const searchMessages = useCallback(() => setSearching(true), [])
  const showKeys = useCallback(() => setShowsKeys(true), [])
  /** The row in focus goes before the open conversation, which knows best what it can do. */
  const press = (letter: ActionLetter) => {
    if (chat.current && !list.current?.isElsewhere()) chat.current.press(letter)
    else list.current?.press(letter)
  }
  const closeAll = () => {
    setStarting(null)
    setTalkingTo(null)
    setSearching(false)
    setShowsKeys(false)
  }
  const keys = {
    j: () => list.current?.step(1),
    k: () => list.current?.step(-1),
    arrowdown: () => list.current?.focusStep(1),
    arrowup: () => list.current?.focusStep(-1),
    '/': () => list.current?.focusSearch(),
    f: () => list.current?.focusSearch(),
    '?': showKeys,
    ...Object.fromEntries(actionLetters.map((letter) => [letter, () => press(letter)])),
    g: () => canTalk && taking.take(),
    z: () => void undoLast(),
    x: () => list.current?.select(),
    n: () => chat.current?.note(),
    r: () => chat.current?.reply(),
    escape: () => void (list.current?.clearSelection() || chat.current?.dismiss()),
  }
  useCtrlKeys({
    'shift+f': () => {
      if (canRead) setSearching(true)
      return canRead
    },
    g: () => {
      if (canTalk) taking.take()
      return canTalk
    },
    z: ({ target }) => !isWriting(target) && undoLast(),
  })
  useKeys({
    keys,
    canType: () => chat.current?.canType() ?? false,
    onType: () => chat.current?.reply(),
    keepsEarly: (letter) => {
      const { awaitedUntil, typed } = arrival.current
      if (Date.now() > awaitedUntil) return false
      arrival.current.typed = typed + letter
      return true
    },
  })

  return (
    <div className={classes.screen} data-pane={pane.kind}>
      <div className={classes.list}>
        <PaneBoundary>
          <TicketList
            filter={filter}
            onFilter={setFilter}
            openId={pane.kind === 'chat' ? pane.ticketId : null}
            onOpen={go}
            onNew={startAnew}
            onSearchMessages={canRead ? searchMessages : undefined}
            taking={canTalk ? taking : undefined}
            handle={list}
          />
        </PaneBoundary>
      </div>
      <div className={classes.main}>
        {kept.map((id) => (
          <Activity key={id} mode={id === openId ? 'visible' : 'hidden'}>
            <PaneBoundary>
              <Suspense fallback={<SkeletonList rows={6} height={72} />}>
                <Chat
                  ticketId={id}
                  handle={chat}
                  arrival={arrival}
                  onBack={leave}
                  onGo={go}
                  onLeaving={leaveTicket}
                  onShortcuts={showKeys}
                  onStartChat={startWith}
                  onTalkTo={setTalkingTo}
                />
              </Suspense>
            </PaneBoundary>
          </Activity>
        ))}
        {openId ? null : pane.kind === 'contacts' ? (
          <Suspense fallback={null}>
            <ContactsPane onBack={leave} onPick={(contact) => setStarting({ contact })} />
          </Suspense>
        ) : (
          <EmptyState
            icon={<IconMessages size={26} stroke={1.5} />}
            title="Escolha um atendimento"
            action={
              canTalk && (
                <Button
                  variant="default"
                  leftSection={<IconAddressBook size={17} aria-hidden />}
                  onClick={() => go('contatos')}
                >
                  Escolher um contato
                </Button>
              )
            }
          >
            Use <Shortcut keys={['J']} /> e <Shortcut keys={['K']} /> para andar pela lista e <Shortcut keys={['?']} />{' '}
            para ver todos os atalhos.
          </EmptyState>
        )}
      </div>
      <Opened onLost={closeAll}>
        {starting && <NewConversationDialog {...starting} onClose={() => setStarting(null)} />}
        {talkingTo && <TalkToContact contactId={talkingTo} onClose={() => setTalkingTo(null)} />}
        {isSearching && (
          <MessageSearch
            onClose={() => setSearching(false)}
            onPick={({ ticketId, id }) => {
              setSearching(false)
              void navigate(linkToTicket(ticketId, id))
            }}
          />
        )}
        {showsKeys && <ShortcutsSheet onClose={() => setShowsKeys(false)} />}
      </Opened>
    </div>
  )
}

/** In a field that holds words, Ctrl+Z is the field's. */
const isWriting = (target: EventTarget | null) =>
  (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) && target.value !== ''

/** The conversations opened last stay as they are, out of sight: going back to one is instant and loses no place. */
const useKept = (openId: string | null): string[] => {
  const [kept, setKept] = useState<string[]>([])
  if (openId && kept[0] !== openId) setKept([openId, ...kept.filter((id) => id !== openId)].slice(0, 4))
  return kept.toSorted() // an element that is moved loses its scroll position
}

type Pane = { kind: 'none' } | { kind: 'contacts' } | { kind: 'chat'; ticketId: string }

/** `/atendimento` and `/atendimento/chats` are the empty chat, `/atendimento/contatos` the contacts. */
const paneOf = (pathname: string): Pane => {
  const [, , part] = pathname.split('/')
  if (!part || part === 'chats') return { kind: 'none' }
  return part === 'contatos' ? { kind: 'contacts' } : { kind: 'chat', ticketId: part }
}
