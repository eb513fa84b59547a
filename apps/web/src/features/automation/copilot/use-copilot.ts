import type { CopilotAsked } from '@balcao/contract/automation/copilot.ts'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { messageOf } from '../../../kit/api-error.ts'
import { askCopilot } from './api.ts'

export type Proposal = {
  asked: CopilotAsked
  text: string
  sources: string[]
  isWriting: boolean
  problem: string | null
}
/** What is only to be read: it never goes into the field. */
export const isAdvice = ({ task, ...asked }: CopilotAsked) =>
  task === 'summary' || task === 'next' || ('to' in asked && asked.to === 'pt')

type Given = { ticketId: string; text: string; write: (text: string) => void; focus: () => void }

/**
 * What the copilot proposes while somebody writes. The field keeps what was typed until the proposal is taken (Enter or
 * Tab), and Esc gives it back as long as nothing else was typed. Nothing is ever sent by it.
 */
export const useCopilot = ({ ticketId, text, write, focus }: Given) => {
  const [proposal, setProposal] = useState<Proposal | null>(null)
  const [taken, setTaken] = useState<{ typed: string; text: string } | null>(null)
  const running = useRef<AbortController | null>(null)

  // What is proposed belongs to its conversation.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another conversation ends it
  useEffect(() => {
    return () => {
      running.current?.abort()
      setProposal(null)
      setTaken(null)
    }
  }, [ticketId])

  const ask = async (asked: CopilotAsked) => {
    running.current?.abort()
    const stop = new AbortController()
    running.current = stop
    const begun = { asked, text: '', sources: [], isWriting: true, problem: null }
    setProposal(begun)
    focus()
    const ours = (next: Partial<Proposal>) =>
      running.current === stop && setProposal((now) => ({ ...(now ?? begun), ...next }))
    try {
      const answer = await askCopilot(asked, { signal: stop.signal, onText: (soFar) => ours({ text: soFar }) })
      ours({ ...answer, isWriting: false })
    } catch (error) {
      if (!stop.signal.aborted) ours({ isWriting: false, problem: messageOf(error) })
    }
  }
  const discard = () => {
    running.current?.abort()
    running.current = null
    setProposal(null)
    focus()
  }
  const take = () => {
    if (!proposal || proposal.isWriting || !proposal.text || isAdvice(proposal.asked)) return
    setTaken({ typed: text, text: proposal.text })
    write(proposal.text)
    setProposal(null)
    focus()
  }
  /** Whether the key was for the proposal. */
  const handleKey = (event: KeyboardEvent): boolean => {
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey
    if (event.key === 'Escape' && proposal) {
      event.stopPropagation()
      discard()
      return true
    }
    if (event.key === 'Escape' && taken && taken.text === text) {
      event.stopPropagation()
      write(taken.typed)
      setTaken(null)
      return true
    }
    if (!proposal || !isPlain || (event.key !== 'Enter' && event.key !== 'Tab')) return false
    if (isAdvice(proposal.asked)) return false
    // While it is still written, Enter waits: a half sentence is no proposal, and what was typed is not sent by mistake.
    if (!proposal.problem) take()
    return event.key === 'Enter' || !proposal.problem
  }
  return { proposal, canGoBack: taken !== null && taken.text === text, ask, take, discard, handleKey }
}
export type Copilot = ReturnType<typeof useCopilot>
