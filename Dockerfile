# The image of the service: a build stage, then a stage with production dependencies only.
FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci && npm cache clean --force
COPY scripts scripts
COPY CHANGELOG.md CHANGELOG.md
COPY docs docs
COPY examples examples
COPY src src
COPY demo demo
# The build contains the libraries of the pages. For SQL Server as a source, remove --omit=optional.
RUN npm run build && npm prune --omit=dev --omit=optional \
  && rm -rf node_modules/.cache src demo scripts docs examples CHANGELOG.md

FROM node:24-slim
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data
COPY --from=build /app /app
COPY bin bin
RUN mkdir /data && chown node /data && ln -s /app/bin/estate.js /usr/local/bin/estate
USER node
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=5s --timeout=3s --start-period=60s \
  CMD node -e "fetch('http://127.0.0.1:' + process.env.PORT + '/health/ready').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"
CMD ["estate", "serve"]
