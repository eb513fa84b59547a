import type { Media } from '@balcao/contract/core/media.ts'
import { Button, FileButton, Progress } from '@mantine/core'
import { IconPhotoUp } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { upload } from '../../../kit/api.ts'
import { messageOf } from '../../../kit/api-error.ts'
import { BrandMark } from '../../../ui/brand.tsx'
import { writeLogo } from './api.ts'
import { SettingRow } from './setting-row.tsx'
import classes from './settings.module.css'
import type { Save } from './use-auto-save.ts'

type Props = { mediaId: string | null; url: string | null; problem?: string; save: Save }

/** The company's picture at the top of the menu. */
export const LogoSetting = ({ mediaId, url, problem, save }: Props) => {
  const [progress, setProgress] = useState<number | null>(null)
  const [failure, setFailure] = useState<string>()
  const reset = useRef<() => void>(null)
  const change = (next: { logoMediaId: string | null; logoUrl: string | null }, done: string) =>
    save({ at: 'mediaId', done, patch: next, write: writeLogo })

  const handleFile = async (file: File | null) => {
    if (!file) return
    setFailure(undefined)
    setProgress(0)
    try {
      const stored = await upload<Media>({ path: '/media', file, onProgress: setProgress })
      await change({ logoMediaId: stored.id, logoUrl: stored.thumbUrl }, 'Logotipo salvo.')
    } catch (error) {
      setFailure(messageOf(error))
    } finally {
      setProgress(null)
      reset.current?.() // the same file may be chosen again
    }
  }

  return (
    <SettingRow
      label="Logotipo"
      help="Aparece no alto do menu, para toda a equipe, e nas propostas. Use uma imagem quadrada em PNG, JPEG ou WebP."
      problem={problem ?? failure}
    >
      <div className={classes.logo}>
        <span className={classes.picture}>
          {url ? <img src={url} alt="Logotipo atual" /> : <BrandMark size={36} />}
        </span>
        {progress === null ? (
          <>
            <FileButton
              accept="image/png,image/jpeg,image/webp"
              resetRef={reset}
              onChange={(file) => void handleFile(file)}
            >
              {(props) => (
                <Button variant="default" leftSection={<IconPhotoUp size={18} aria-hidden />} {...props}>
                  {mediaId ? 'Trocar' : 'Enviar imagem'}
                </Button>
              )}
            </FileButton>
            {mediaId && (
              <Button
                variant="subtle"
                color="gray"
                onClick={() => void change({ logoMediaId: null, logoUrl: null }, 'Logotipo removido.')}
              >
                Remover
              </Button>
            )}
          </>
        ) : (
          <Progress value={progress * 100} w={140} aria-label="Envio do logotipo" />
        )}
      </div>
    </SettingRow>
  )
}
