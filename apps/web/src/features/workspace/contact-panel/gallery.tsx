import { type GalleryKind, galleryKinds } from '@balcao/contract/contacts/contacts.ts'
import { SegmentedControl } from '@mantine/core'
import { IconFile, IconLink, IconVideo } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { messageOf } from '../../../kit/api-error.ts'
import { formatBytes, formatDate } from '../../../kit/format.ts'
import { lazyPart } from '../../../kit/lazy-part.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { SkeletonList } from '../../../ui/skeleton-list.tsx'
import { galleryQuery } from '../../contacts/contacts/queries.ts'
import classes from './contact-panel.module.css'
import { MoreButton } from './more-button.tsx'
import { None } from './panel-section.tsx'

const MediaViewer = lazyPart(async () => ({ default: (await import('../../core/media/media-viewer.tsx')).MediaViewer }))

const kindLabels: Record<GalleryKind, string> = { image: 'Fotos', video: 'Vídeos', document: 'Arquivos', link: 'Links' }
const nothing: Record<GalleryKind, string> = {
  image: 'Nenhuma foto trocada com este contato.',
  video: 'Nenhum vídeo trocado com este contato.',
  document: 'Nenhum arquivo trocado com este contato.',
  link: 'Nenhum link trocado com este contato.',
}

/** What was exchanged with the contact in all conversations one may see. */
export const Gallery = ({ contactId }: { contactId: string }) => {
  const [kind, setKind] = useState<GalleryKind>('image')
  const [viewing, setViewing] = useState<string | null>(null)
  const list = useInfiniteQuery(galleryQuery(contactId, kind))
  const items = list.data?.pages.flatMap((page) => page.items) ?? []
  const files = items.flatMap(({ media }) => media ?? [])
  const isPicture = kind === 'image' || kind === 'video'
  return (
    <>
      <SegmentedControl
        fullWidth
        size="xs"
        mb={10}
        aria-label="O que mostrar"
        value={kind}
        onChange={setKind}
        data={galleryKinds.map((value) => ({ value, label: kindLabels[value] }))}
      />
      {list.isPending ? (
        <SkeletonList rows={2} height={64} />
      ) : list.isError && items.length === 0 ? (
        <ErrorState message={messageOf(list.error)} onRetry={() => void list.refetch()} />
      ) : (
        items.length === 0 && !list.hasNextPage && <None text={nothing[kind]} />
      )}
      {isPicture && files.length > 0 && (
        <div className={classes.grid}>
          {files.map((file, at) => (
            <button
              // biome-ignore lint/suspicious/noArrayIndexKey: one file may have been sent twice
              key={`${file.id}:${at}`}
              type="button"
              className={classes.thumb}
              aria-label={`Abrir ${file.name}`}
              onClick={() => setViewing(file.id)}
            >
              {file.thumbUrl || kind === 'image' ? (
                <img src={file.thumbUrl ?? file.url} alt="" loading="lazy" />
              ) : (
                <IconVideo size={22} stroke={1.5} aria-hidden />
              )}
            </button>
          ))}
        </div>
      )}
      {kind === 'document' &&
        items.map(
          ({ messageId, media, createdAt }) =>
            media && (
              <a
                key={messageId}
                className={classes.file}
                href={media.url}
                target="_blank"
                rel="noopener noreferrer"
                download={media.name}
              >
                <IconFile size={18} stroke={1.75} aria-hidden />
                <span className="truncate">{media.name}</span>
                <span className={`tabular ${classes.fileMeta}`}>
                  {formatBytes(media.size)} · {formatDate(createdAt)}
                </span>
              </a>
            ),
        )}
      {kind === 'link' &&
        items.flatMap(({ messageId, links, createdAt }) =>
          links.map((link) => (
            <a
              key={`${messageId}:${link}`}
              className={classes.file}
              href={link}
              target="_blank"
              rel="noopener noreferrer"
            >
              <IconLink size={18} stroke={1.75} aria-hidden />
              <span className="truncate">{link.replace(/^https?:\/\/(www\.)?/i, '')}</span>
              <span className={`tabular ${classes.fileMeta}`}>{formatDate(createdAt)}</span>
            </a>
          )),
        )}
      <MoreButton list={list}>{items.length ? 'Mais antigos' : 'Procurar nas mais antigas'}</MoreButton>
      {viewing && (
        <Suspense fallback={null}>
          <MediaViewer items={files.toReversed()} startId={viewing} onClose={() => setViewing(null)} />
        </Suspense>
      )}
    </>
  )
}
