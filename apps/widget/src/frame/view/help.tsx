import { useEffect, useRef, useState } from 'preact/hooks'
import type { HelpArticle } from '../api.ts'
import type { Chat } from '../chat.ts'
import { failureText } from '../failure-text.ts'
import { say } from '../words.ts'
import { RichText } from './rich-text.tsx'

/** Answers that are there at any hour, found by their words. */
export const Help = ({ chat, onClose }: { chat: Chat; onClose: () => void }) => {
  const [articles, setArticles] = useState<HelpArticle[]>()
  const [failure, setFailure] = useState('')
  const [wanted, setWanted] = useState('')
  const search = useRef<HTMLInputElement>(null)

  const load = (): void => {
    setFailure('')
    chat.listHelp().then(setArticles, (error: unknown) => setFailure(failureText(error)))
  }
  useEffect(() => {
    search.current?.focus()
    load()
  }, [])

  const found = articles && findArticles(articles, wanted)
  return (
    <section class="help" aria-label={say('help')}>
      <div class="field">
        <label for="help-search">{say('helpSearch')}</label>
        <input
          id="help-search"
          ref={search}
          type="search"
          maxLength={100}
          value={wanted}
          onInput={(event) => setWanted(event.currentTarget.value)}
        />
      </div>
      <p class="sr" role="status">
        {found && (found.length === 0 ? say('helpNone') : say('helpFound', { count: String(found.length) }))}
      </p>
      {failure && (
        <p class="problem" role="alert">
          {failure}{' '}
          <button type="button" class="link" onClick={load}>
            {say('retry')}
          </button>
        </p>
      )}
      {found?.length === 0 && <p class="help-none">{say('helpNone')}</p>}
      {found?.map(({ id, title, text }) => (
        <details key={id} class="article">
          <summary>{title}</summary>
          <p>
            <RichText text={text} />
          </p>
        </details>
      ))}
      <button type="button" class="quiet" onClick={onClose}>
        {say('helpBack')}
      </button>
    </section>
  )
}

/** Every word, with or without its accents; those named so come first. */
export const findArticles = (articles: HelpArticle[], wanted: string): HelpArticle[] => {
  const words = plain(wanted).split(/\s+/).filter(Boolean)
  const has = (text: string): boolean => words.every((word) => plain(text).includes(word))
  const named = articles.filter(({ title }) => has(title))
  return [...named, ...articles.filter((one) => !named.includes(one) && has(`${one.title} ${one.text}`))]
}

const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
