"""File endings and names by which a word is a file."""

from tamis.text.cues.phrases import word_set

FILE_EXTENSIONS = word_set(
    """
    astro avif bash bat bib bin bmp bz2 c cc cert cfg cjs clj cmake cmd conf coffee cpp crt cs
    csproj css csv cts cxx dart db diff dll dockerfile doc docx ejs el env erl ex exe exs feature
    fish fits gemspec gif go gql gradle graphql groovy gz h hbs hcl hh hpp hrl hs htm html hxx ico
    idx ini ipynb jar java jpeg jpg js json json5 jsonl jsx kt kts less lisp lock log lua m map
    markdown md mdc mdx mf mjs mk ml mli mm mod mp3 mp4 mts nim nix npz npy orig out parquet patch
    pdf pem php pickle pkl pl plist pm png po pot properties proto ps1 psd1 pxd py pyc pyi pyx r
    rake rb rej rs rst sass scala scss sh snap so sql sqlite sqlite3 srt styl sum sv svelte svg
    swift tar tcl template test tex tf tfvars tgz tmp tmpl toml traj ts tsbuildinfo tsv tsx ttf txt
    v vb vim vue wasm wav webm webp whl woff woff2 xhtml xlsx xml xsd xsl xz yaml yml zig zip zsh
    zst
    """
)
"""Lower case, without the dot. Endings that are also common attribute names (`name`, `data`) are left out."""

FILE_NAMES = word_set(
    """
    Brewfile CMakeLists Containerfile Dockerfile Gemfile Jenkinsfile Justfile LICENSE Makefile
    Pipfile Procfile Rakefile Vagrantfile .bashrc .dockerignore .editorconfig .env .eslintrc
    .gitattributes .gitignore .gitmodules .npmrc .nvmrc .prettierrc .zshrc
    """
)
